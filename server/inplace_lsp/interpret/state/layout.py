"""Memory layouts of tensors: shape, strides and offset, and the rules that follow from them.

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
    """Shape, strides and offset of a tensor, in elements."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0

    @property
    def is_contiguous(self) -> bool:
        """Return whether the elements lie in the order of the indices, without holes."""
        wanted = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if size != 1 and stride != wanted:
                return False
            wanted *= size
        return True

    @property
    def is_dense(self) -> bool:
        """Return whether the elements fill their memory without holes, in any order of dimensions."""
        wanted = 1
        for stride, size in sorted((t, s) for s, t in zip(self.shape, self.strides, strict=True) if s != 1):
            if stride != wanted:
                return False
            wanted *= size
        return True

    @property
    def is_channels_last(self) -> bool:
        """Return whether an image or a volume lies in memory without holes, its channels last."""
        rank = len(self.shape)
        return rank in (4, 5) and permute_dimensions(self, [0, *range(2, rank), 1]).is_contiguous

    @property
    def expanded_dimensions(self) -> frozenset[int]:
        """Return the dimensions along which all elements share one location."""
        pairs = zip(self.shape, self.strides, strict=True)
        return frozenset(d for d, (size, stride) in enumerate(pairs) if size > 1 and stride == 0)

    def count_from_front(self, number: int) -> int:
        """Return the number of a dimension counted from the front. Raise IndexError if there is none."""
        rank = max(len(self.shape), 1)
        if not -rank <= number < rank:
            raise IndexError(number)
        return number % rank


def make_contiguous_layout(shape: Sequence[int]) -> Layout:
    """Return the layout of new memory."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return Layout(tuple(shape), tuple(strides))


def make_packed_layout(layout: Layout) -> Layout:
    """Return the layout of new memory with the elements in the order of `layout`, without its holes."""
    if layout.is_dense:
        return Layout(layout.shape, layout.strides)
    return _make_ordered_layout(layout.shape, _order_dimensions(layout.shape, [layout.strides]))


def combine_layouts(operands: Sequence[Layout]) -> Layout | None:
    """Return the layout of an elementwise op's result, in the order of its operands; None if they do not fit."""
    shape = broadcast_shapes([operand.shape for operand in operands])
    if shape is None:
        return None
    if all(operand.shape == shape for operand in operands):
        if all(operand.is_contiguous for operand in operands):
            return make_contiguous_layout(shape)
        if operands[0].is_dense and all(operand.strides == operands[0].strides for operand in operands):
            return Layout(shape, operands[0].strides)
    return _make_ordered_layout(
        shape, _order_dimensions(shape, [_broadcast_strides(operand, shape) for operand in operands])
    )


def broadcast_shapes(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the shape that all of these can be expanded to, None if there is none."""
    rank = max(map(len, shapes), default=0)
    columns = zip(*((1,) * (rank - len(shape)) + shape for shape in shapes), strict=True)
    sizes = [{size for size in column if size != 1} or {1} for column in columns]
    return tuple(size for (size,) in sizes) if all(len(size_set) == 1 for size_set in sizes) else None


def _broadcast_strides(layout: Layout, shape: tuple[int, ...]) -> tuple[int, ...]:
    new = len(shape) - len(layout.shape)
    own = zip(layout.shape, layout.strides, shape[new:], strict=True)
    return (0,) * new + tuple(0 if size == 1 != wanted else stride for size, stride, wanted in own)


def _order_dimensions(shape: tuple[int, ...], strides: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the dimensions from the fastest-changing to the slowest: `reorder_dimensions`, an insertion sort."""
    order = list(range(len(shape)))[::-1]
    for last in range(1, len(order)):
        at = last
        for before in range(last - 1, -1, -1):
            compared = _compare_dimensions(order[before], order[at], shape, strides)
            if compared > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif compared < 0:
                break
    return order


def _compare_dimensions(first: int, other: int, shape: tuple[int, ...], strides: Sequence[tuple[int, ...]]) -> int:
    """Compare how fast two dimensions change, by the first operand that is not broadcast along them."""
    for own in strides:
        if own[first] and own[other]:
            if own[first] != own[other]:
                return 1 if own[first] > own[other] else -1
            if shape[first] > shape[other]:
                return 1
    return 0


def _make_ordered_layout(shape: tuple[int, ...], order: Sequence[int]) -> Layout:
    strides, step = [0] * len(shape), 1
    for dim in order:
        strides[dim] = step
        step *= max(shape[dim], 1)
    return Layout(shape, tuple(strides))


def find_overlap(written: Layout, other: Layout) -> Overlap:
    """Return how two tensors in one memory overlap, as far as torch checks it."""
    if 0 in written.shape or 0 in other.shape:
        return "none"
    if not (written.is_dense and other.is_dense):
        return "unknown"
    mine = (written.offset, written.offset + prod(written.shape))
    theirs = (other.offset, other.offset + prod(other.shape))
    if mine == theirs and written.strides == other.strides:
        return "whole"
    return "part" if mine[0] < theirs[1] and theirs[0] < mine[1] else "none"


def are_disjoint(first: Layout, other: Layout) -> bool:
    """Return whether two tensors in one memory surely have no element in common."""
    if prod(first.shape) > _FEW or prod(other.shape) > _FEW:
        return find_overlap(first, other) == "none"
    return set(_find_offsets(first)).isdisjoint(_find_offsets(other))


_FEW = 4096
"""The number of elements up to which two tensors are compared element by element."""


def _find_offsets(layout: Layout) -> Iterator[int]:
    steps = (
        range(0, size * stride, stride) if stride else (0,)
        for size, stride in zip(layout.shape, layout.strides, strict=True)
    )
    return (layout.offset + sum(parts) for parts in product(*steps))


def join_rows(layout: Layout) -> Layout | None:
    """Return the layout with all dimensions but the last joined to one; None if that takes a copy."""
    return reshape_layout(layout, (-1, layout.shape[-1]))


def reshape_layout(layout: Layout, shape: Sequence[int]) -> Layout | None:
    """Return the layout of `layout` as a view of another shape, None if there is no such view."""
    wanted = _fill_in_size(shape, prod(layout.shape))
    if wanted is None or prod(wanted) != prod(layout.shape):
        return None
    if 0 in wanted:
        return replace(make_contiguous_layout(wanted), offset=layout.offset)
    strides = _find_strides(layout, wanted)
    return None if strides is None else Layout(wanted, strides, layout.offset)


def _fill_in_size(shape: Sequence[int], total: int) -> tuple[int, ...] | None:
    if -1 not in shape:
        return tuple(shape)
    rest = prod(size for size in shape if size != -1)
    return tuple(total // rest if size == -1 else size for size in shape) if rest else None


def _find_strides(layout: Layout, wanted: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return strides for `wanted`: each contiguous run of dimensions is split anew."""
    dims = [(s, t) for s, t in zip(layout.shape, layout.strides, strict=True) if s != 1]
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


def permute_dimensions(layout: Layout, order: Sequence[int]) -> Layout:
    """Return the layout with its dimensions in another order."""
    dims = [layout.count_from_front(d) for d in order]
    return Layout(tuple(layout.shape[d] for d in dims), tuple(layout.strides[d] for d in dims), layout.offset)


def swap_dimensions(layout: Layout, first: int, other: int) -> Layout:
    """Return the layout with two dimensions exchanged."""
    order = list(range(len(layout.shape)))
    if order:
        first, other = layout.count_from_front(first), layout.count_from_front(other)
        order[first], order[other] = order[other], order[first]
    return permute_dimensions(layout, order)


def select_index(layout: Layout, dim: int, index: int) -> Layout:
    """Return the layout of one index along a dimension. Raise IndexError if there is none."""
    at = layout.count_from_front(dim)
    size = layout.shape[at]
    if not -size <= index < size:
        raise IndexError(index)
    return Layout(
        _remove_at(layout.shape, at), _remove_at(layout.strides, at), layout.offset + index % size * layout.strides[at]
    )


def slice_dimension(layout: Layout, dim: int, bounds: slice) -> Layout:
    """Return the layout of a slice along a dimension."""
    at = layout.count_from_front(dim)
    start, stop, step = bounds.indices(layout.shape[at])
    size = max(0, -(-(stop - start) // step))
    shape, strides = list(layout.shape), list(layout.strides)
    shape[at], strides[at] = size, layout.strides[at] * step
    return Layout(tuple(shape), tuple(strides), layout.offset + start * layout.strides[at])


def unsqueeze_layout(layout: Layout, dim: int) -> Layout:
    """Return the layout with one more dimension of size 1."""
    at = dim + len(layout.shape) + 1 if dim < 0 else dim
    step = layout.shape[at] * layout.strides[at] if at < len(layout.shape) else 1
    return Layout(
        (*layout.shape[:at], 1, *layout.shape[at:]), (*layout.strides[:at], step, *layout.strides[at:]), layout.offset
    )


def squeeze_layout(layout: Layout, dims: Sequence[int] | None = None) -> Layout:
    """Return the layout without the dimensions of size 1 (of `dims`)."""
    chosen = None if dims is None else {layout.count_from_front(d) for d in dims}
    kept = [d for d, size in enumerate(layout.shape) if size != 1 or (chosen is not None and d not in chosen)]
    return permute_dimensions(layout, kept)


def unfold_dimension(layout: Layout, dim: int, size: int, step: int) -> Layout:
    """Return the layout of windows along a dimension: their number in its place, their elements last. Raise IndexError
    if there is no such dimension."""
    at = layout.count_from_front(dim)
    count = (layout.shape[at] - size) // step + 1
    shape = (*layout.shape[:at], count, *layout.shape[at + 1 :], size)
    strides = (*layout.strides[:at], layout.strides[at] * step, *layout.strides[at + 1 :], layout.strides[at])
    return Layout(shape, strides, layout.offset)


def take_diagonal(layout: Layout, offset: int, first: int, other: int) -> Layout:
    """Return the layout of the diagonal of two dimensions, as a last one. Raise IndexError if there is no such
    dimension."""
    row, column = layout.count_from_front(first), layout.count_from_front(other)
    down, right = max(-offset, 0), max(offset, 0)
    size = max(0, min(layout.shape[row] - down, layout.shape[column] - right))
    start = layout.offset + (down * layout.strides[row] + right * layout.strides[column] if size else 0)
    kept = [d for d in range(len(layout.shape)) if d not in (row, column)]
    shape = (*(layout.shape[d] for d in kept), size)
    return Layout(shape, (*(layout.strides[d] for d in kept), layout.strides[row] + layout.strides[column]), start)


def expand_layout(layout: Layout, shape: Sequence[int]) -> Layout | None:
    """Return the layout broadcast to a larger shape; None if it does not fit."""
    new = len(shape) - len(layout.shape)
    if new < 0:
        return None
    sizes, strides = list(shape), [0] * len(shape)
    for d in range(new, len(shape)):
        size, stride = layout.shape[d - new], layout.strides[d - new]
        if sizes[d] in (-1, size):
            sizes[d], strides[d] = size, stride
        elif size != 1:
            return None
    return Layout(tuple(sizes), tuple(strides), layout.offset) if -1 not in sizes else None


def _remove_at(items: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*items[:at], *items[at + 1 :])
