"""Where the elements of a tensor lie in its memory: shape, strides and offset, and what follows from them.

Sources: `computeStride` in ATen/TensorUtils.cpp, `get_overlap_status` in ATen/MemoryOverlap.cpp, `reorder_dimensions`
in ATen/TensorIterator.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Literal

Overlap = Literal["none", "part", "whole", "unknown"]


@dataclass(frozen=True, slots=True)
class Layout:
    """All in elements."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0

    @property
    def contiguous(self) -> bool:
        """Whether the elements lie in the order of the indices, without holes."""
        wanted = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if size != 1 and stride != wanted:
                return False
            wanted *= size
        return True

    @property
    def dense(self) -> bool:
        """Whether the elements fill their memory without holes, in any order of dimensions."""
        wanted = 1
        for stride, size in sorted((t, s) for s, t in zip(self.shape, self.strides, strict=True) if s != 1):
            if stride != wanted:
                return False
            wanted *= size
        return True

    @property
    def expanded(self) -> frozenset[int]:
        """The dimensions along which all elements are one."""
        pairs = zip(self.shape, self.strides, strict=True)
        return frozenset(d for d, (size, stride) in enumerate(pairs) if size > 1 and stride == 0)

    def dimension(self, number: int) -> int:
        """A dimension counted from the front. Raises IndexError where there is none."""
        rank = max(len(self.shape), 1)
        if not -rank <= number < rank:
            raise IndexError(number)
        return number % rank


def contiguous(shape: Sequence[int]) -> Layout:
    """The layout of new memory."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return Layout(tuple(shape), tuple(strides))


def packed(of: Layout) -> Layout:
    """New memory with the elements in the order of `of`, without its holes."""
    if of.dense:
        return Layout(of.shape, of.strides)
    return _in_order(of.shape, _order(of.shape, [of.strides]))


def combined(operands: Sequence[Layout]) -> Layout | None:
    """New memory for the result of an elementwise op, in the order of its operands; None where they do not fit."""
    shape = broadcast([one.shape for one in operands])
    if shape is None:
        return None
    if all(one.shape == shape for one in operands):
        if all(one.contiguous for one in operands):
            return contiguous(shape)
        if len({one.strides for one in operands}) == 1 and operands[0].dense:
            return Layout(shape, operands[0].strides)
    return _in_order(shape, _order(shape, [_broadcast_strides(one, shape) for one in operands]))


def broadcast(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The shape that all of these can be expanded to, None if there is none."""
    rank = max(map(len, shapes), default=0)
    columns = zip(*((1,) * (rank - len(shape)) + shape for shape in shapes), strict=True)
    sizes = [{size for size in column if size != 1} or {1} for column in columns]
    return tuple(size for (size,) in sizes) if all(len(one) == 1 for one in sizes) else None


def _broadcast_strides(of: Layout, shape: tuple[int, ...]) -> tuple[int, ...]:
    new = len(shape) - len(of.shape)
    own = zip(of.shape, of.strides, shape[new:], strict=True)
    return (0,) * new + tuple(0 if size == 1 != wanted else stride for size, stride, wanted in own)


def _order(shape: tuple[int, ...], strides: Sequence[tuple[int, ...]]) -> list[int]:
    """The dimensions from the one that changes fastest to the slowest: `reorder_dimensions`, an insertion sort."""
    order = list(range(len(shape)))[::-1]
    for last in range(1, len(order)):
        at = last
        for before in range(last - 1, -1, -1):
            compared = _compared(order[before], order[at], shape, strides)
            if compared > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif compared < 0:
                break
    return order


def _compared(one: int, other: int, shape: tuple[int, ...], strides: Sequence[tuple[int, ...]]) -> int:
    """Which of two dimensions changes faster, by the first operand that tells; one that is broadcast does not."""
    for own in strides:
        if own[one] and own[other]:
            if own[one] != own[other]:
                return 1 if own[one] > own[other] else -1
            if shape[one] > shape[other]:
                return 1
    return 0


def _in_order(shape: tuple[int, ...], order: Sequence[int]) -> Layout:
    strides, step = [0] * len(shape), 1
    for dim in order:
        strides[dim] = step
        step *= max(shape[dim], 1)
    return Layout(shape, tuple(strides))


def overlap(written: Layout, other: Layout) -> Overlap:
    """How two tensors in one memory lie to each other, as far as torch looks."""
    if 0 in written.shape or 0 in other.shape:
        return "none"
    if not (written.dense and other.dense):
        return "unknown"
    mine = (written.offset, written.offset + prod(written.shape))
    theirs = (other.offset, other.offset + prod(other.shape))
    if mine == theirs and written.strides == other.strides:
        return "whole"
    return "part" if mine[0] < theirs[1] and theirs[0] < mine[1] else "none"


def apart(one: Layout, other: Layout) -> bool:
    """Whether two tensors in one memory surely have no element in common."""
    if prod(one.shape) > _FEW or prod(other.shape) > _FEW:
        return overlap(one, other) == "none"
    return set(_elements(one)).isdisjoint(_elements(other))


_FEW = 4096
"""Elements that are looked at one by one."""


def _elements(of: Layout) -> Iterator[int]:
    steps = (
        range(0, size * stride, stride) if stride else (0,) for size, stride in zip(of.shape, of.strides, strict=True)
    )
    return (of.offset + sum(parts) for parts in product(*steps))


def reshaped(of: Layout, shape: Sequence[int]) -> Layout | None:
    """`of` under another shape without moving an element, None where that cannot be."""
    wanted = _filled(shape, prod(of.shape))
    if wanted is None or prod(wanted) != prod(of.shape):
        return None
    if 0 in wanted:
        return replace(contiguous(wanted), offset=of.offset)
    strides = _strides(of, wanted)
    return None if strides is None else Layout(wanted, strides, of.offset)


def _filled(shape: Sequence[int], total: int) -> tuple[int, ...] | None:
    if -1 not in shape:
        return tuple(shape)
    rest = prod(size for size in shape if size != -1)
    return tuple(total // rest if size == -1 else size for size in shape) if rest else None


def _strides(of: Layout, wanted: tuple[int, ...]) -> tuple[int, ...] | None:
    """Strides for `wanted`: each run of dimensions that is one piece of memory is cut anew."""
    dims = [(s, t) for s, t in zip(of.shape, of.strides, strict=True) if s != 1]
    result = [1] * len(wanted)
    at = len(wanted) - 1
    while dims:
        size, base = dims.pop()
        while dims and dims[-1][1] == size * base:
            size *= dims.pop()[0]
        filled = 1
        while at >= 0 and (filled < size or wanted[at] == 1):
            result[at] = filled * base
            filled *= wanted[at]
            at -= 1
        if filled != size:
            return None
    return tuple(result)


def permuted(of: Layout, order: Sequence[int]) -> Layout:
    """The dimensions in another order."""
    dims = [of.dimension(d) for d in order]
    return Layout(tuple(of.shape[d] for d in dims), tuple(of.strides[d] for d in dims), of.offset)


def swapped(of: Layout, one: int, other: int) -> Layout:
    """Two dimensions exchanged."""
    order = list(range(len(of.shape)))
    if order:
        one, other = of.dimension(one), of.dimension(other)
        order[one], order[other] = order[other], order[one]
    return permuted(of, order)


def selected(of: Layout, dim: int, index: int) -> Layout:
    """One element along a dimension. Raises IndexError where there is none."""
    at = of.dimension(dim)
    size = of.shape[at]
    if not -size <= index < size:
        raise IndexError(index)
    return Layout(_without(of.shape, at), _without(of.strides, at), of.offset + index % size * of.strides[at])


def sliced(of: Layout, dim: int, bounds: slice) -> Layout:
    """A slice of a dimension."""
    at = of.dimension(dim)
    start, stop, step = bounds.indices(of.shape[at])
    size = max(0, -(-(stop - start) // step))
    shape, strides = list(of.shape), list(of.strides)
    shape[at], strides[at] = size, of.strides[at] * step
    return Layout(tuple(shape), tuple(strides), of.offset + start * of.strides[at])


def unsqueezed(of: Layout, dim: int) -> Layout:
    """A dimension of size 1 more."""
    at = dim + len(of.shape) + 1 if dim < 0 else dim
    step = of.shape[at] * of.strides[at] if at < len(of.shape) else 1
    return Layout((*of.shape[:at], 1, *of.shape[at:]), (*of.strides[:at], step, *of.strides[at:]), of.offset)


def squeezed(of: Layout, dims: Sequence[int] | None = None) -> Layout:
    """Without the dimensions of size 1 (of `dims`)."""
    chosen = None if dims is None else {of.dimension(d) for d in dims}
    kept = [d for d, size in enumerate(of.shape) if size != 1 or (chosen is not None and d not in chosen)]
    return permuted(of, kept)


def unfolded(of: Layout, dim: int, size: int, step: int) -> Layout:
    """Windows along a dimension: their number in its place, their elements in a last one. Raises IndexError."""
    at = of.dimension(dim)
    count = (of.shape[at] - size) // step + 1
    shape = (*of.shape[:at], count, *of.shape[at + 1 :], size)
    strides = (*of.strides[:at], of.strides[at] * step, *of.strides[at + 1 :], of.strides[at])
    return Layout(shape, strides, of.offset)


def diagonal(of: Layout, offset: int, one: int, other: int) -> Layout:
    """The diagonal of two dimensions, as a last one. Raises IndexError where there is no such dimension."""
    row, column = of.dimension(one), of.dimension(other)
    down, right = max(-offset, 0), max(offset, 0)
    size = max(0, min(of.shape[row] - down, of.shape[column] - right))
    start = of.offset + (down * of.strides[row] + right * of.strides[column] if size else 0)
    kept = [d for d in range(len(of.shape)) if d not in (row, column)]
    shape = (*(of.shape[d] for d in kept), size)
    return Layout(shape, (*(of.strides[d] for d in kept), of.strides[row] + of.strides[column]), start)


def expanded(of: Layout, shape: Sequence[int]) -> Layout | None:
    """Broadcast to a larger shape; None where it does not fit."""
    new = len(shape) - len(of.shape)
    if new < 0:
        return None
    sizes, strides = list(shape), [0] * len(shape)
    for d in range(new, len(shape)):
        size, stride = of.shape[d - new], of.strides[d - new]
        if sizes[d] in (-1, size):
            sizes[d], strides[d] = size, stride
        elif size != 1:
            return None
    return Layout(tuple(sizes), tuple(strides), of.offset) if -1 not in sizes else None


def _without(items: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*items[:at], *items[at + 1 :])
