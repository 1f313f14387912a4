"""What ops do to shapes that are only partly known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from inplace_lsp.verify.inputs.dims import Dim, closed_row, is_size, require_rank, row_after, take_last, unify_rows
from inplace_lsp.verify.inputs.sketch import Anything, Several, Shaped, as_tensor


def apply_elementwise(values: list[object]) -> object:
    """Return the result of a pointwise op: its tensors have one shape, as far as nothing says otherwise."""
    found = [as_tensor(value) for value in values if isinstance(value, Shaped)]
    unknown = [value for value in values if isinstance(value, Anything)]
    shaped = [value for value in found if value is not None]
    if not shaped:
        return unknown[0] if len(unknown) == len(values) and unknown else Anything()
    for other in shaped[1:]:
        _, first = shaped[0].row.expand()
        _, second = other.row.expand()
        if all(dim.root().value != 1 for dim in (*first, *second)):
            unify_rows(shaped[0].row, other.row)
    return Shaped(shaped[0].row)


def as_dim(value: object) -> Dim | None:
    """Return a size as a dim; the last one of several."""
    if isinstance(value, Dim):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return Dim(value=value)
    if isinstance(value, Several) and value.items:
        return as_dim(value.items[-1])
    return None


def dim_of(found: Shaped, position: int) -> object:
    """One dim of a tensor, by its position."""
    if position < 0:
        dims = take_last(found.row, -position)
        return dims[position] if len(dims) >= -position else Anything()
    require_rank(found.row, position + 1)
    front, dims = found.row.expand()
    return dims[position] if front is None and position < len(dims) else Dim()


def view_in_sizes(found: Shaped, sizes: list[object]) -> Shaped:
    """Return the same elements in other sizes. The one that is left open (-1) is told by the others, if these are
    known."""
    dims = [as_dim(size) or Dim() for size in sizes]
    front, source = found.row.expand()
    if sizes.count(-1) == 1 and front is None:
        told = [dim for dim, size in zip(dims, sizes, strict=True) if size != -1]
        dims[sizes.index(-1)].value = _find_open_size([*source], told)
    return Shaped(closed_row(tuple(dims)))


def _find_open_size(source: list[Dim], told: list[Dim]) -> int | None:
    """Return the size that is left if a shape `source` is viewed in the sizes `told` and one more; None if unknown."""
    left = [dim.root() for dim in source]
    rest = []
    for dim in told:
        if dim.root() in left:
            left.remove(dim.root())
        else:
            rest.append(dim.root())
    if not all(dim.value for dim in (*left, *rest)):
        return None
    return max(1, _count_elements(left) // _count_elements(rest))


def _count_elements(dims: list[Dim]) -> int:
    return prod(dim.value or 1 for dim in dims)


def swap_dims(found: Shaped, arguments: list[object]) -> object:
    """Return the tensor with two dims swapped."""
    given = [argument for argument in arguments if isinstance(argument, int)]
    if len(given) != 2 or len(arguments) != 2:
        return Shaped()
    first, second = given
    front, dims = found.row.expand()
    if front is not None and max(first, second) >= 0:
        require_rank(found.row, max(first, second) + 1)
        return Shaped()
    if front is not None:
        dims = take_last(found.row, max(-first, -second))
        front, _ = found.row.expand()
    swapped = list(dims)
    if max(first, second) >= len(swapped) or min(first, second) < -len(swapped):
        return Shaped()
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return Shaped(row_after(front, tuple(swapped)) if front is not None else closed_row(tuple(swapped)))


def take_part(found: Shaped, index: ast.expr, position: object) -> object:
    """Return what a subscript takes out of a tensor."""
    if isinstance(position, Shaped) and position.dtype == "bool":
        unify_rows(found.row, position.row)
        return Shaped()
    indices = index.elts if isinstance(index, ast.Tuple) else [index]
    if isinstance(index, (ast.Slice, ast.Tuple)) or isinstance(position, int):
        require_rank(found.row, sum(not _adds_dims(index) for index in indices))
    front, dims = found.row.expand()
    if front is not None or len(indices) > len(dims) or not all(map(_is_simple, indices)):
        return Shaped()
    return Shaped(closed_row((*_sliced_dims(indices, dims), *dims[len(indices) :])))


def _adds_dims(index: ast.expr) -> bool:
    """Return whether an index takes no dim of its own: `None` and `...`."""
    return isinstance(index, ast.Constant) and index.value in (None, ...)


def _sliced_dims(indices: list[ast.expr], dims: tuple[Dim, ...]) -> Iterator[Dim]:
    """Yield the dims that slices leave."""
    for index, dim in zip(indices, dims, strict=False):
        if isinstance(index, ast.Slice):
            yield Dim() if index.lower or index.upper or index.step else dim


def _is_simple(index: ast.expr) -> bool:
    """Return whether an index is a slice or a whole number."""
    return isinstance(index, ast.Slice) or (isinstance(index, ast.Constant) and type(index.value) is int)


def apply_einsum(equation: str, operands: list[object]) -> object:
    """Return the result of an einsum, whose letters name the dims of its operands."""
    inputs, _, result = equation.replace(" ", "").partition("->")
    names: dict[str, Dim] = {}

    def row(letters: str) -> tuple[Dim, ...]:
        return tuple(names.setdefault(letter, Dim()) for letter in letters)

    for letters, operand in zip(inputs.split(","), operands, strict=False):
        found = as_tensor(operand)
        if found is not None and letters.isalpha():
            unify_rows(found.row, closed_row(row(letters)))
    return Shaped(closed_row(row(result))) if result.isalpha() else Shaped()


def rearrange_dims(operand: object, pattern: str) -> object:
    """Return the result of a rearrangement in words: `b (h d) w -> ...`."""
    left, _, right = pattern.partition("->")
    found = as_tensor(operand)
    if found is None or "..." in pattern:
        return Shaped()
    names: dict[str, Dim] = {}
    unify_rows(found.row, closed_row(tuple(_axis_dim(word, names) for word in _split_axes(left))))
    return Shaped(closed_row(tuple(_axis_dim(word, names) for word in _split_axes(right))))


def _split_axes(side: str) -> list[str]:
    """Return the axes of one side of a rearrangement; `(h w)` is one."""
    words: list[str] = []
    depth = 0
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            depth += 1 if word == "(" else -1
            words += ["("] if word == "(" else []
        elif not depth:
            words.append(word)
    return words


def _axis_dim(word: str, names: dict[str, Dim]) -> Dim:
    if word == "(":
        return Dim()
    return Dim(value=int(word)) if is_size(word) else names.setdefault(word, Dim(name=word))
