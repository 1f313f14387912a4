"""What ops do to shapes that are only partly known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from inplace_lsp.verify.inputs.dims import Dim, closed_row, require_rank, row_after, take_last, unify_rows
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
        left = [dim.root() for dim in source]
        rest = []
        for dim in (size_dim.root() for at, size_dim in enumerate(dims) if sizes[at] != -1):
            if dim in left:
                left.remove(dim)
            else:
                rest.append(dim)
        if all(dim.value for dim in (*left, *rest)):
            all_of, others = prod(dim.value or 1 for dim in left), prod(dim.value or 1 for dim in rest)
            dims[sizes.index(-1)].value = max(1, all_of // others)
    return Shaped(closed_row(tuple(dims)))


def swap_dims(found: Shaped, arguments: list[object]) -> object:
    """Return the tensor with two dims swapped."""
    front, dims = found.row.expand()
    if len(arguments) != 2 or not all(isinstance(argument, int) for argument in arguments):
        return Shaped()
    first, second = (int(argument) for argument in arguments)  # type: ignore[call-overload]
    if front is not None:
        if first < 0 and second < 0:
            count = max(-first, -second)
            dims = take_last(found.row, count)
            front, _ = found.row.expand()
        else:
            require_rank(found.row, max(first, second) + 1)
            return Shaped()
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
    count = sum(not (isinstance(index, ast.Constant) and index.value in (None, ...)) for index in indices)
    if isinstance(index, (ast.Slice, ast.Tuple)) or isinstance(position, int):
        require_rank(found.row, count)
    front, dims = found.row.expand()
    simple = all(isinstance(index, ast.Slice) or _is_whole_number(index) for index in indices)
    if front is not None or not simple or len(indices) > len(dims):
        return Shaped()
    kept = (Dim() if cut.lower or cut.upper or cut.step else dim for cut, dim in _sliced_dims(indices, dims))
    return Shaped(closed_row((*kept, *dims[len(indices) :])))


def _sliced_dims(indices: list[ast.expr], dims: tuple[Dim, ...]) -> Iterator[tuple[ast.Slice, Dim]]:
    for index, dim in zip(indices, dims, strict=False):
        if isinstance(index, ast.Slice):
            yield index, dim


def _is_whole_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


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
    return Dim(value=int(word)) if word.isdigit() else names.setdefault(word, Dim(name=word))
