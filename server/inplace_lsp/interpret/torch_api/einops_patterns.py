"""Patterns of einops: `b (h w) c -> b h w c` as the reshapes, permutations and reductions that einops makes of it.

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
from inplace_lsp.interpret.state.values import Items, Known, Number, Tensor, Value, integer_of
from inplace_lsp.interpret.state.values import Mapping as DictValue
from inplace_lsp.interpret.torch_api.modelling import MODULE
from inplace_lsp.interpret.torch_api.table_ops import torch_call

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
    """Both sides of `left -> right`, and the lengths of axes that are written as numbers."""

    left: Side
    right: Side
    lengths: Mapping[str, int]

    def spread(self, rank: int) -> Pattern:
        """The pattern for a tensor of `rank` dimensions: `...` becomes as many axes as it stands for."""
        if (_ELLIPSIS,) not in self.left:
            return self
        axes = tuple(f"{_ELLIPSIS}{at}" for at in range(rank - len(self.left) + 1))
        return Pattern(_spread(self.left, axes), _spread(self.right, axes), self.lengths)


def _spread(side: Side, axes: tuple[str, ...]) -> Side:
    """`axes` in place of `...`: a dimension each, or all of them in the group where it stands."""
    groups: list[tuple[str, ...]] = []
    for group in side:
        if group == (_ELLIPSIS,):
            groups += [(axis,) for axis in axes]
        else:
            groups.append(tuple(one for axis in group for one in (axes if axis == _MERGED else (axis,))))
    return tuple(groups)


@lru_cache(maxsize=512)
def parse_pattern(text: str) -> Pattern | None:
    """The pattern that `text` writes; None where einops would refuse it."""
    left, arrow, right = text.partition("->")
    lengths: dict[str, int] = {}
    sides = [_parse_side(left, "left", lengths), _parse_side(right, "right", lengths)]
    if not arrow or sides[0] is None or sides[1] is None:
        return None
    return Pattern(sides[0], sides[1], lengths)


def _parse_side(text: str, side: str, lengths: dict[str, int]) -> Side | None:
    """The dimensions of one side. Each number is an axis of its own, of that length; 1 is none."""
    groups: list[tuple[str, ...]] = []
    inside = False
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            if inside == (word == "("):
                return None
            inside = not inside
            groups += [()] * inside
            continue
        axis = f"{word} on the {side} {len(lengths)}" if word.isdecimal() else word
        axis = _MERGED if inside and word == _ELLIPSIS else axis
        if word.isdecimal() and word != "1":
            lengths[axis] = int(word)
        axes = () if word == "1" else (axis,)
        if inside:
            groups[-1] += axes
        else:
            groups.append(axes)
    return None if inside else tuple(groups)


def _flat(side: Side) -> list[str]:
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
    given = {str(name): integer_of(value) for name, value in lengths.items.items()}
    if source.shape is None:  # `...` is judged as if it stood for two dimensions
        parsed = parsed.spread(len(parsed.left) + 1)
    elif len((parsed := parsed.spread(len(source.shape))).left) != len(source.shape):
        return machine.unknown_call(text or "einops", [tensor])
    return _Transform(machine, parsed, _sizes(parsed, source.shape, given)).run(source, operation)


def _sizes(pattern: Pattern, shape: Sequence[int | None] | None, given: Sizes) -> Sizes:
    """The length of every axis, as far as the shape, the numbers in the pattern and the arguments tell."""
    sizes: dict[str, int | None] = dict.fromkeys([*_flat(pattern.left), *_flat(pattern.right)])
    sizes.update(given)
    sizes.update(pattern.lengths)
    for group, whole in zip(pattern.left, shape or (), strict=False):
        unknown = [axis for axis in group if sizes[axis] is None]
        known = prod(size for axis in group if (size := sizes[axis]) is not None)
        if len(unknown) == 1 and whole is not None and known:
            sizes[unknown[0]] = whole // known
    return sizes


class _Transform:
    """One pattern applied to one tensor. `memory`: the order in which the axes lie in memory, if that is known."""

    def __init__(self, machine: Machine, pattern: Pattern, sizes: Sizes) -> None:
        self.machine, self.pattern, self.sizes = machine, pattern, sizes
        self.memory: list[str] | None = None

    def run(self, tensor: Tensor, operation: Value) -> Value:
        """Split the dimensions into axes, put these in order, reduce and repeat, and merge them into dimensions."""
        source = tensor
        left, right = _flat(self.pattern.left), _flat(self.pattern.right)
        kept = [axis for axis in right if axis in left]
        reduced = [axis for axis in left if axis not in kept]
        self.memory = left if tensor.contiguous else None
        if any(len(group) != 1 for group in self.pattern.left):
            tensor = self._reshape(tensor, [(axis,) for axis in left], "view")
        if [*kept, *reduced] != left:
            tensor = self._call("permute", tensor, [left.index(axis) for axis in (*kept, *reduced)])
        if reduced:
            result = self._reduce(tensor, operation, range(len(kept), len(left)))
            if not isinstance(result, Tensor):
                return result
            tensor, self.memory = result, kept
        if len(right) > len(kept):
            tensor = self._repeat(tensor, right, kept)
        if any(len(group) != 1 for group in self.pattern.right):
            views = all(map(self._is_one_piece, self.pattern.right))
            tensor = self._reshape(tensor, self.pattern.right, "view" if views else "reshape")
        if tensor is not source and tensor.layout is None and not any(axis.startswith(_ELLIPSIS) for axis in right):
            tensor.shape = tuple(map(self._extent, self.pattern.right))
        return tensor

    def _reshape(self, tensor: Tensor, groups: Sequence[tuple[str, ...]], op: str) -> Tensor:
        """To one dimension a group; a known layout decides for itself whether that is a view."""
        return self._call("reshape" if tensor.layout is not None else op, tensor, map(self._extent, groups))

    def _call(self, op: str, tensor: Tensor, numbers: Iterator[int | None] | Sequence[int | None]) -> Tensor:
        given = Items("tuple", [Number() if number is None else Known(number) for number in numbers])
        result = torch_call(self.machine, f"torch.Tensor.{op}", [tensor, given], {})
        return result if isinstance(result, Tensor) else tensor

    def _reduce(self, tensor: Tensor, operation: Value, dims: range) -> Value:
        """Reduce the last dimensions, by a function of the user's if it is no name."""
        name = operation.value if isinstance(operation, Known) else None
        if name in _REDUCTIONS:
            return self._call(_REDUCTIONS[str(name)], tensor, dims)
        if name in _ONE_BY_ONE:
            for dim in reversed(dims):
                result = torch_call(self.machine, f"torch.Tensor.{name}", [tensor, Known(dim)], {})
                tensor = result if isinstance(result, Tensor) else tensor
            return tensor
        return self.machine.call(operation, [tensor, Items("tuple", [Known(dim) for dim in dims])], {}, "a reduction")

    def _repeat(self, tensor: Tensor, right: list[str], kept: list[str]) -> Tensor:
        """New axes along which all elements are one."""
        for at, axis in enumerate(right):
            if axis not in kept:
                result = torch_call(self.machine, "torch.Tensor.unsqueeze", [tensor, Known(at)], {})
                tensor = result if isinstance(result, Tensor) else tensor
        return self._call("expand", tensor, [-1 if axis in kept else self.sizes[axis] for axis in right])

    def _is_one_piece(self, group: tuple[str, ...]) -> bool:
        """Whether the axes of a dimension follow one another in memory: merging them copies nothing then."""
        if len(group) < 2:
            return True
        axes = [axis for axis in group if self.sizes[axis] != 1]
        order = [axis for axis in self.memory or () if self.sizes[axis] != 1]
        places = [order.index(axis) if axis in order else -1 for axis in axes]
        return len(axes) < 2 or (-1 not in places and places == list(range(places[0], places[0] + len(places))))

    def _extent(self, group: tuple[str, ...]) -> int | None:
        sizes = [self.sizes[axis] for axis in group]
        known = [size for size in sizes if size is not None]
        return prod(known) if len(known) == len(sizes) else None


@intrinsic(f"{MODULE}.einsum_equation(pattern, /)")
def _einsum_equation(machine: Machine, pattern: Value) -> Value:
    """The equation of `torch.einsum`, with a letter for each axis that a pattern of einops names."""
    if not isinstance(pattern, Known) or not isinstance(pattern.value, str):
        return machine.unknown("an equation")
    letters: dict[str, str] = {}
    words = pattern.value.replace("->", " -> ").replace(",", " , ").split()
    return Known("".join(_letter(word, letters) for word in words))


def _letter(word: str, letters: dict[str, str]) -> str:
    if word in (",", "->", _ELLIPSIS):
        return word
    return letters.setdefault(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(letters) % 52])
