"""Patterns of einops, executed as the reshapes, permutations and reductions that einops performs for them.

Where the shape of a tensor is not known, the order of its axes still tells which of them lie next to each other in
memory, and so whether they can be merged without a copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Number, Tensor, Value, find_integer
from inplace_lsp.interpret.state.values import Mapping as DictValue
from inplace_lsp.interpret.torch_api.modelling import MODULE
from inplace_lsp.interpret.torch_api.table_ops import call_table_op

Side = tuple[tuple[str, ...], ...]
"""One side of a pattern: the axes that each dimension is made of."""
Sizes = Mapping[str, int | None]
"""The lengths of axes, None where they are not known."""

_ELLIPSIS, _MERGED = "...", "(...)"
"""What stands for any dimensions: each for itself, or all as one."""
_REDUCTIONS = {"max": "amax", "min": "amin", "sum": "sum", "mean": "mean"}
_ONE_BY_ONE = ("prod", "any", "all")
"""Reductions that torch does for one dimension at a time."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Both sides of `left -> right`, and the lengths of axes written as numbers."""

    left: Side
    right: Side
    lengths: Mapping[str, int]

    def expand_ellipsis(self, rank: int) -> Pattern:
        """Return the pattern for a tensor of `rank` dimensions, with `...` replaced by the axes it stands for."""
        if (_ELLIPSIS,) not in self.left:
            return self
        axes = tuple(f"{_ELLIPSIS}{at}" for at in range(rank - len(self.left) + 1))
        return Pattern(_replace_ellipsis(self.left, axes), _replace_ellipsis(self.right, axes), self.lengths)


def _replace_ellipsis(side: Side, axes: tuple[str, ...]) -> Side:
    """Replace `...` by `axes`: one dimension each, or all of them in the group that contains it."""
    groups: list[tuple[str, ...]] = []
    for group in side:
        if group == (_ELLIPSIS,):
            groups += [(axis,) for axis in axes]
        else:
            groups.append(tuple(merged for axis in group for merged in (axes if axis == _MERGED else (axis,))))
    return tuple(groups)


@lru_cache(maxsize=512)
def parse_pattern(text: str) -> Pattern | None:
    """Parse a pattern; return None if einops would refuse it."""
    left, arrow, right = text.partition("->")
    lengths: dict[str, int] = {}
    try:
        sides = [_parse_side(left, "left", lengths), _parse_side(right, "right", lengths)]
    except ValueError:  # a number of more digits than Python reads
        return None
    if not arrow or sides[0] is None or sides[1] is None:
        return None
    return Pattern(sides[0], sides[1], lengths)


def _parse_side(text: str, side: str, lengths: dict[str, int]) -> Side | None:
    """Return the dimensions of one side. A number is a separate axis of that length; 1 is no axis."""
    groups: list[tuple[str, ...]] = []
    inside = False
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            if inside == (word == "("):
                return None
            inside = not inside
            groups += [()] * inside
        elif inside:
            groups[-1] += _parse_axis(word, side, lengths, inside=True)
        else:
            groups.append(_parse_axis(word, side, lengths, inside=False))
    return None if inside else tuple(groups)


def _parse_axis(word: str, side: str, lengths: dict[str, int], *, inside: bool) -> tuple[str, ...]:
    """Return the axis that a word stands for, none for 1; a number is noted among the `lengths`."""
    if word == "1":
        return ()
    if word.isdecimal():
        axis = f"{word} on the {side} {len(lengths)}"
        lengths[axis] = int(word)
        return (axis,)
    return (_MERGED if inside and word == _ELLIPSIS else word,)


def _list_axes(side: Side) -> list[str]:
    return [axis for group in side for axis in group]


@intrinsic(f"{MODULE}.transform_axes(tensor, pattern, operation, lengths, /)")
def _transform_axes(
    machine: Machine, tensor: Value, pattern: Value, operation: Value, lengths: Value, text: str
) -> Value:
    """Do with the axes of a tensor what a pattern of einops says; `operation` reduces those that disappear."""
    source = ops.tensor_of(machine.recorder, tensor)
    parsed = parse_pattern(pattern.value) if isinstance(pattern, Known) and isinstance(pattern.value, str) else None
    if source is None or parsed is None or not isinstance(lengths, DictValue):
        return machine.unknown_call(text or "einops", [tensor])
    given = {str(name): find_integer(value) for name, value in lengths.items.items()}
    if source.shape is None:  # `...` is judged as if it stood for two dimensions
        parsed = parsed.expand_ellipsis(len(parsed.left) + 1)
    elif len((parsed := parsed.expand_ellipsis(len(source.shape))).left) != len(source.shape):
        return machine.unknown_call(text or "einops", [tensor])
    return _Transform(machine, parsed, _find_sizes(parsed, source.shape, given)).apply_to(source, operation)


def _find_sizes(pattern: Pattern, shape: Sequence[int | None] | None, given: Sizes) -> Sizes:
    """Return the length of every axis, as far as the shape, the pattern's numbers and the arguments determine it."""
    sizes: dict[str, int | None] = dict.fromkeys([*_list_axes(pattern.left), *_list_axes(pattern.right)])
    sizes.update(given)
    sizes.update(pattern.lengths)
    for group, whole in zip(pattern.left, shape or (), strict=False):
        unknown = [axis for axis in group if sizes[axis] is None]
        known = prod(size for axis in group if (size := sizes[axis]) is not None)
        if len(unknown) == 1 and whole is not None and known:
            sizes[unknown[0]] = whole // known
    return sizes


class _Transform:
    """Applies one pattern to one tensor. `memory`: the order of the axes in memory, if known."""

    def __init__(self, machine: Machine, pattern: Pattern, sizes: Sizes) -> None:
        self.machine, self.pattern, self.sizes = machine, pattern, sizes
        self.memory: list[str] | None = None

    def apply_to(self, tensor: Tensor, operation: Value) -> Value:
        """Split the dimensions into axes, put these in order, reduce and repeat, and merge them into dimensions."""
        source = tensor
        left, right = _list_axes(self.pattern.left), _list_axes(self.pattern.right)
        kept = [axis for axis in right if axis in left]
        order = [*kept, *(axis for axis in left if axis not in kept)]
        self.memory = left if tensor.contiguous else None
        if any(len(group) != 1 for group in self.pattern.left):
            tensor = self._reshape_tensor(tensor, [(axis,) for axis in left], "view")
        if order != left:
            tensor = self._call_op("permute", tensor, [left.index(axis) for axis in order])
        if len(kept) < len(left):
            result = self._reduce_axes(tensor, operation, range(len(kept), len(left)))
            if not isinstance(result, Tensor):
                return result
            tensor, self.memory = result, kept
        if len(right) > len(kept):
            tensor = self._repeat_axes(tensor, right, kept)
        tensor = self._merge_axes(tensor)
        if tensor is not source:
            self._set_shape(tensor, right)
        return tensor

    def _set_shape(self, tensor: Tensor, axes: Sequence[str]) -> None:
        if tensor.layout is None and not any(axis.startswith(_ELLIPSIS) for axis in axes):
            tensor.shape = tuple(map(self._find_extent, self.pattern.right))

    def _merge_axes(self, tensor: Tensor) -> Tensor:
        """Merge the axes into the dimensions on the right."""
        if all(len(group) == 1 for group in self.pattern.right):
            return tensor
        views = all(map(self._is_one_piece, self.pattern.right))
        return self._reshape_tensor(tensor, self.pattern.right, "view" if views else "reshape")

    def _reshape_tensor(self, tensor: Tensor, groups: Sequence[tuple[str, ...]], op: str) -> Tensor:
        """Reshape to one dimension per group; with a known layout, `reshape` decides whether that is a view."""
        return self._call_op("reshape" if tensor.layout is not None else op, tensor, map(self._find_extent, groups))

    def _call_op(self, op: str, tensor: Tensor, numbers: Iterator[int | None] | Sequence[int | None]) -> Tensor:
        given = Items("tuple", [Number() if number is None else Known(number) for number in numbers])
        result = call_table_op(self.machine, f"torch.Tensor.{op}", [tensor, given], {})
        return result if isinstance(result, Tensor) else tensor

    def _reduce_axes(self, tensor: Tensor, operation: Value, dims: range) -> Value:
        """Reduce the last dimensions by a named reduction or by a function of the user."""
        name = operation.value if isinstance(operation, Known) else None
        if name in _REDUCTIONS:
            return self._call_op(_REDUCTIONS[str(name)], tensor, dims)
        if name in _ONE_BY_ONE:
            for dim in reversed(dims):
                result = call_table_op(self.machine, f"torch.Tensor.{name}", [tensor, Known(dim)], {})
                tensor = result if isinstance(result, Tensor) else tensor
            return tensor
        return self.machine.call(operation, [tensor, Items("tuple", [Known(dim) for dim in dims])], {}, "a reduction")

    def _repeat_axes(self, tensor: Tensor, right: list[str], kept: list[str]) -> Tensor:
        """Add expanded axes, along which all elements share memory."""
        for at, axis in enumerate(right):
            if axis not in kept:
                result = call_table_op(self.machine, "torch.Tensor.unsqueeze", [tensor, Known(at)], {})
                tensor = result if isinstance(result, Tensor) else tensor
        return self._call_op("expand", tensor, [-1 if axis in kept else self.sizes[axis] for axis in right])

    def _is_one_piece(self, group: tuple[str, ...]) -> bool:
        """Return whether a group's axes are adjacent in memory, so that merging them copies nothing."""
        if len(group) < 2:
            return True
        axes = [axis for axis in group if self.sizes[axis] != 1]
        order = [axis for axis in self.memory or () if self.sizes[axis] != 1]
        places = [order.index(axis) if axis in order else -1 for axis in axes]
        return len(axes) < 2 or (-1 not in places and places == list(range(places[0], places[0] + len(places))))

    def _find_extent(self, group: tuple[str, ...]) -> int | None:
        sizes = [self.sizes[axis] for axis in group]
        known = [size for size in sizes if size is not None]
        return prod(known) if len(known) == len(sizes) else None


@intrinsic(f"{MODULE}.einsum_equation(pattern, /)")
def _einsum_equation(machine: Machine, pattern: Value) -> Value:
    """Return the equation of `torch.einsum`, with one letter for each axis that the einops pattern names."""
    if not isinstance(pattern, Known) or not isinstance(pattern.value, str):
        return machine.make_unknown("an equation")
    letters: dict[str, str] = {}
    words = pattern.value.replace("->", " -> ").replace(",", " , ").split()
    return Known("".join(_letter_of_axis(word, letters) for word in words))


def _letter_of_axis(word: str, letters: dict[str, str]) -> str:
    if word in (",", "->", _ELLIPSIS):
        return word
    return letters.setdefault(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(letters) % 52])
