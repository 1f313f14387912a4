"""What an error of torch's says of the size, the rank or the kind of a tensor: the tensors that it asks for instead."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.recipes import Tensor

Mend = Callable[[Tensor, tuple[int, ...]], Iterator[Tensor]]
"""Yields other tensors for one that led to an error with these numbers."""
_IMAGES = (28, 64, 84, 128, 224, 256)
"""Usual heights and widths of images."""
_LARGEST = 1 << 21
"""Maximum number of elements of a tensor."""
_ROOM = 8
"""So many times as large as asked for is what a loop may go through further."""
ABOUT_SHARES = "should be between 0 and 1"
_DIGITS = re.compile(r"-?\d+")


def mend_tensor(tensor: Tensor, error: str) -> Iterator[Tensor]:
    """Yield the tensors that an error asks for in place of one."""
    for pattern, mend in _MENDS:
        told = pattern.search(error)
        if told is not None:
            numbers = tuple(int(number) for number in _DIGITS.findall(" ".join(filter(None, told.groups()))))
            yield from (changed for changed in mend(tensor, numbers) if changed != tensor and _is_small(changed))


def _is_small(tensor: Tensor) -> bool:
    return math.prod(tensor.shape) <= _LARGEST


def _set_last(tensor: Tensor, size: int) -> Tensor:
    return replace(tensor, shape=(*tensor.shape[:-1], size))


def _widen_last(tensor: Tensor, size: int) -> Iterator[Tensor]:
    """Yield a tensor whose last dimension has this size, in the usual ranks as well."""
    if tensor.dtype != "float":
        return
    if tensor.shape:
        yield _set_last(tensor, size)
    for rank in (2, 3):
        if rank != len(tensor.shape):
            yield _set_last(replace(tensor, shape=names.default_shape(rank)), size)


def _multiply(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors for `AxB and CxD`: the last dimension has to be C, or what a view made B of has to come to C."""
    _, got, wanted, _ = told
    yield from _widen_last(tensor, wanted)
    if len(tensor.shape) < 3 or tensor.dtype != "float":
        return
    inner = tensor.shape[1:]
    others = math.prod(inner[:-1])
    if math.prod(inner) == got and others and wanted % others == 0:
        yield _set_last(tensor, wanted // others)
    share = math.sqrt(wanted / got) if got else 0
    scaled = {round(tensor.shape[-1] * share), *_IMAGES}
    yield from (_set_image(tensor, size) for size in sorted(scaled) if size > 0)


def _set_image(tensor: Tensor, size: int) -> Tensor:
    return replace(tensor, shape=(*tensor.shape[:-2], size, size))


def _set_channels(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors with the channels of `expected input[2, 32, 16, 16] to have 3 channels`."""
    wanted = told[-1]
    if tensor.dtype != "float":
        return
    for at in (1, 0) if len(tensor.shape) > 2 else ():
        yield replace(tensor, shape=(*tensor.shape[:at], wanted, *tensor.shape[at + 1 :]))
    for rank in (4, 3):
        _, _, *space = names.default_shape(rank)
        yield replace(tensor, shape=(names.BATCH, wanted, *space))


def _scale_channels(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield a tensor with so many channels that what is made of it has those of `expected input[2, 12, 16, 16] to have
    256 channels`: four parts of it side by side have four times its own."""
    *sizes, wanted = told
    channels = tensor.shape[1] if len(tensor.shape) > 2 and len(sizes) > 1 else 0
    if tensor.dtype == "float" and channels not in (0, sizes[1]) and channels * wanted % sizes[1] == 0:
        yield replace(tensor, shape=(tensor.shape[0], channels * wanted // sizes[1], *tensor.shape[2:]))


def _set_rank(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors of the ranks that are told."""
    for rank in told:
        if 0 < rank < 6 and rank != len(tensor.shape):
            usual, shape = names.default_shape(rank), tensor.shape
            more = rank - len(shape)
            yield replace(tensor, shape=(*usual[:more], *shape) if more > 0 else shape[-rank:])
            if more > 0:
                yield replace(tensor, shape=(*shape, *usual[len(shape) :]))
            else:
                yield replace(tensor, shape=shape[:rank])
            yield replace(tensor, shape=usual)


def _shift_rank(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors for `to be 1D or 2D, got 3D`, which is said of what was made of the tensor."""
    *wanted, got = told
    rank = len(tensor.shape)
    yield from _set_rank(tensor, tuple(rank + other - got for other in reversed(wanted)))
    yield from _set_rank(tensor, tuple(reversed(wanted)))


def _shift_from_sizes(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors of other ranks for `Expected 3D or 4D input, but got input of size: [2, 32]`."""
    wanted, sizes = told[:2], told[2:]
    yield from _shift_rank(tensor, (*wanted, len(sizes)))


def _raise_rank(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors of more dimensions than are told."""
    yield from _set_rank(tensor, tuple(rank for rank in (told[-1] + 1, told[-1] + 2) if rank > len(tensor.shape)))


def _make_whole(tensor: Tensor, _told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield indices, as many as there are rows or elements."""
    if tensor.dtype == "float":
        yield replace(tensor, dtype="long")
        yield replace(tensor, dtype="long", shape=tensor.shape[:-1])
        yield replace(tensor, dtype="long", shape=tensor.shape[:1])


def _make_floating(tensor: Tensor, _told: tuple[int, ...]) -> Iterator[Tensor]:
    if tensor.dtype != "float":
        yield replace(tensor, dtype="float")


def _make_mask(tensor: Tensor, _told: tuple[int, ...]) -> Iterator[Tensor]:
    if tensor.dtype != "bool":
        yield replace(tensor, dtype="bool")


def _make_shares(tensor: Tensor, _told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield a tensor with values between 0 and 1."""
    if tensor.dtype == "float":
        yield replace(tensor, shares=True)


def _cut_off(tensor: Tensor, _told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield a tensor that needs no gradient: an array is made of it."""
    yield replace(tensor, grad=False)


def _make_scalar(tensor: Tensor, _told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield a tensor of one element: the code asks whether it is true."""
    yield replace(tensor, shape=())


def _set_sum(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield a tensor whose last dimension, or another one, has the size of its parts together, or its share of it."""
    got, *parts = told
    for at in range(len(tensor.shape) - 1, -1, -1):
        size = tensor.shape[at]
        for other in (sum(parts), size * sum(parts) // got if got else 0, size + sum(parts) - got):
            if other > 0:
                yield replace(tensor, shape=(*tensor.shape[:at], other, *tensor.shape[at + 1 :]))


def _set_ending(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield a tensor whose last dimensions are told."""
    if tensor.dtype == "float":
        yield replace(tensor, shape=(*tensor.shape[: max(1, len(tensor.shape) - len(told))], *told))


def _set_shape(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield a tensor of the shape of what it is computed with, or with that at the end."""
    plain = told
    while plain[:1] == (1,):
        plain = plain[1:]
    for shape in (told, plain, (*tensor.shape[:-1], *plain[-1:])):
        yield replace(tensor, shape=shape)


def _fill_shape(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors for `shape '[2, 7, 7, 2, 5]' is invalid for input of size 20`: the last dimensions also as one."""
    *shape, _ = told
    if tensor.dtype != "float" or not shape:
        return
    known = [size if size > 0 else names.TIME for size in shape]
    if shape[0] < 0 and len(tensor.shape) > 1:  # as many rows as there were
        yield replace(tensor, shape=(tensor.shape[0], *known[1:]))
    for kept in range(len(known) - 1, 0, -1):
        yield replace(tensor, shape=(*known[:kept], math.prod(known[kept:])))
    yield replace(tensor, shape=tuple(known))
    for at, size in enumerate(tensor.shape):
        rest = math.prod(tensor.shape) // max(1, size)
        if rest and math.prod(known) % rest == 0:
            yield replace(tensor, shape=(*tensor.shape[:at], math.prod(known) // rest, *tensor.shape[at + 1 :]))


def _scale(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors whose last dimensions are smaller or larger by as much as two sizes differ."""
    first, second = told
    for wanted, got in ((first, second), (second, first)):
        fits = [at for at, size in enumerate(tensor.shape) if size * wanted >= got > 0 == size * wanted % got]
        for some in (fits[-2:], *([at] for at in reversed(fits))):
            yield replace(
                tensor,
                shape=tuple(size * wanted // got if at in some else size for at, size in enumerate(tensor.shape)),
            )


def _set_one_size(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors with one dimension of the second size that is told instead of the first, and the reverse."""
    for old, new in (told, told[::-1]):
        for at, size in enumerate(tensor.shape):
            if size == old:
                yield replace(tensor, shape=(*tensor.shape[:at], new, *tensor.shape[at + 1 :]))


def _pad_rank(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors of a rank that a padding of so many sides goes with."""
    yield from _set_rank(tensor, (told[0] // 2 + 2, told[0] // 2 + 1))


def _add_elements(tensor: Tensor, told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield tensors in which an index is no longer out of bounds, some with room for those that a loop comes to: told
    are the index, the dimension and its size."""
    index, at, size = told
    for dimension in (at, *range(len(tensor.shape))):
        if index >= size and dimension < len(tensor.shape) and tensor.shape[dimension] == size:
            for room in (1, _ROOM):
                shape = (*tensor.shape[:dimension], room * (index + 1), *tensor.shape[dimension + 1 :])
                yield replace(tensor, shape=shape)


def make_room(tensor: Tensor, error: str, largest: int) -> Iterator[Tensor]:
    """Yield tensors with room for an index that is out of bounds, where the code names a number as the `largest`: as
    many elements, or one more, in all dimensions that were too small, or in one."""
    told = _OUT_OF_BOUNDS.search(error)
    size = int(told[3]) if told is not None else largest
    if size >= largest:
        return
    small = [at for at, own in enumerate(tensor.shape) if own == size]
    for enough in (largest, largest + 1):
        for some in dict.fromkeys((tuple(small), *((at,) for at in small))):
            shape = tuple(enough if at in some else own for at, own in enumerate(tensor.shape))
            if some and math.prod(shape) <= _LARGEST:
                yield replace(tensor, shape=shape)


_OUT_OF_BOUNDS = re.compile(r"index (\d+) is out of bounds for dimension (\d+) with size (\d+)")


def _enlarge(tensor: Tensor, _told: tuple[int, ...]) -> Iterator[Tensor]:
    """Yield larger images and longer sequences."""
    if len(tensor.shape) > 2:
        if len(tensor.shape) == 3:
            yield from (replace(tensor, shape=(tensor.shape[0], size, tensor.shape[2])) for size in _IMAGES)
        yield from (_set_image(tensor, size) for size in _IMAGES)
        yield from (_set_last(tensor, size) for size in _IMAGES)


def _mend(words: str, mend: Mend) -> tuple[re.Pattern[str], Mend]:
    return re.compile(words), mend


_MENDS = (
    _mend(r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", _multiply),
    _mend(r"same reduction dim, but got (\[\d+, \d+\]) X (\[\d+, \d+\])", _multiply),
    _mend(r"expected input\[([\d, ]+)\] to have (\d+) channels", _scale_channels),
    _mend(r"to have (\d+) channels", _set_channels),
    _mend(
        r"size\(-?1\) must be equal to input_size\. Expected (\d+)", lambda tensor, told: _widen_last(tensor, told[0])
    ),
    _mend(
        r"input has inconsistent input_size: got \d+,? expected (\d+)",
        lambda tensor, told: _widen_last(tensor, told[0]),
    ),
    _mend(r"expected input with shape \[\*, ([\d, ]+)\]", _set_ending),
    _mend(r"to sum exactly to (\d+) .*split_sizes=\[([\d, ]+)\]", _set_sum),
    _mend(r"shape '\[([-\d, ]+)\]' is invalid for input of size (\d+)", _fill_shape),
    _mend(r"Expected (\d)D \(unbatched\) or (\d)D [^\[]*(\[[\d, ]+\])", _shift_from_sizes),
    _mend(r"(\d)-?D or (\d)-?D.* got (\d)-?D", _shift_rank),
    _mend(r"[Ee]xpected (\d)-?D? ?(?:or|and) (\d)-?D", _set_rank),
    _mend(r"[Ee]xpected (\d)-?D (?:\w+ )?input", _set_rank),
    _mend(
        r"dimensions in pattern \((\d)\) must be equal to the number of dimensions in the tensor \((\d)\)", _shift_rank
    ),
    _mend(r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)", _scale),
    _mend(r"output with shape (?:torch\.Size\()?\[([\d, ]*)\]", _set_shape),
    _mend(r"had torch\.Size\(\[([\d, ]+)\]\); but expected", _set_shape),
    _mend(r"should be broadcastable to \[([\d, ]+)\]", _set_shape),
    _mend(r"subscripts in the equation \((\d+)\) does not match the number of dimensions \((\d+)\)", _shift_rank),
    _mend(r"subscript \w+ has size (\d+) .*previously seen size (\d+)", _set_one_size),
    _mend(r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)", _scale),
    (_OUT_OF_BOUNDS, _add_elements),
    _mend(r"must be a (\d)D tensor", lambda tensor, told: _set_rank(tensor, (told[0], told[0] - 1))),
    _mend(r"Padding size (\d) is not supported for (\d)D", _pad_rank),
    _mend(r"values to unpack \(expected (\d), got (\d)", _shift_rank),
    _mend(r"too many values to unpack \(expected (\d)\)", _set_rank),
    _mend(r"too many indices for tensor of dimension (\d)", _raise_rank),
    _mend(
        r"Dimension out of range \(expected to be in range of \[-?\d+, (\d+)\]",
        lambda tensor, told: _raise_rank(tensor, (told[0] + 1,)),
    ),
    _mend(r"number of dimensions in the tensor input does not match[^\d]*input\.dim\(\) = \d+ .*= (\d+)", _set_rank),
    _mend(
        r"dtype to be Long|scalar types?:? Long|type Long but|must be long|integral|as indices must be|int64",
        _make_whole,
    ),
    _mend(ABOUT_SHARES, _make_shares),
    _mend(r"call numpy\(\) on Tensor that requires grad", _cut_off),
    _mend(r"[Bb]oolean value of Tensor with more than one value", _make_scalar),
    _mend(r"must be bool|expected (?:\w+ )*[bB]ool|BoolTensor|on a bool", _make_mask),
    _mend(
        r"found dtype Long|not implemented for 'Long'|not implemented for 'Bool'|got a Long|floating point|same dtype",
        _make_floating,
    ),
    _mend(
        r"Kernel size can't be greater|padded input size|Output size is too small|less than the corresponding",
        _enlarge,
    ),
)
"""What the words of an error ask of a tensor."""
