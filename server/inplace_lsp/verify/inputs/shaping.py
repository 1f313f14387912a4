"""What ops do to shapes that are only partly known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from inplace_lsp.verify.inputs.dims import Dim, at_least, behind, closed, take, unify
from inplace_lsp.verify.inputs.sketch import Anything, Several, Shaped, tensor


def elementwise(values: list[object]) -> object:
    """The result of a pointwise op: its tensors have one shape, as far as nothing says otherwise."""
    found = [tensor(value) for value in values if isinstance(value, Shaped)]
    unknown = [value for value in values if isinstance(value, Anything)]
    shaped = [one for one in found if one is not None]
    if not shaped:
        return unknown[0] if len(unknown) == len(values) and unknown else Anything()
    for other in shaped[1:]:
        _, first = shaped[0].row.expand()
        _, second = other.row.expand()
        if all(dim.root().value != 1 for dim in (*first, *second)):
            unify(shaped[0].row, other.row)
    return Shaped(shaped[0].row)


def as_dim(value: object) -> Dim | None:
    """A size as a dim; the last one of several."""
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
        dims = take(found.row, -position)
        return dims[position] if len(dims) >= -position else Anything()
    at_least(found.row, position + 1)
    front, dims = found.row.expand()
    return dims[position] if front is None and position < len(dims) else Dim()


def viewed(found: Shaped, sizes: list[object]) -> Shaped:
    """The same elements in other sizes. The one that is left open (-1) is told by the others, if these are known."""
    dims = [as_dim(size) or Dim() for size in sizes]
    front, source = found.row.expand()
    if sizes.count(-1) == 1 and front is None:
        left = [dim.root() for dim in source]
        rest = []
        for dim in (one.root() for at, one in enumerate(dims) if sizes[at] != -1):
            if dim in left:
                left.remove(dim)
            else:
                rest.append(dim)
        if all(dim.value for dim in (*left, *rest)):
            all_of, others = prod(dim.value or 1 for dim in left), prod(dim.value or 1 for dim in rest)
            dims[sizes.index(-1)].value = max(1, all_of // others)
    return Shaped(closed(tuple(dims)))


def transposed(found: Shaped, arguments: list[object]) -> object:
    """The tensor with two dims swapped."""
    front, dims = found.row.expand()
    if len(arguments) != 2 or not all(isinstance(one, int) for one in arguments):
        return Shaped()
    first, second = (int(one) for one in arguments)  # type: ignore[call-overload]
    if front is not None:
        if first < 0 and second < 0:
            count = max(-first, -second)
            dims = take(found.row, count)
            front, _ = found.row.expand()
        else:
            at_least(found.row, max(first, second) + 1)
            return Shaped()
    swapped = list(dims)
    if max(first, second) >= len(swapped) or min(first, second) < -len(swapped):
        return Shaped()
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return Shaped(behind(front, tuple(swapped)) if front is not None else closed(tuple(swapped)))


def part(found: Shaped, index: ast.expr, position: object) -> object:
    """What a subscript takes out of a tensor."""
    if isinstance(position, Shaped) and position.dtype == "bool":
        unify(found.row, position.row)
        return Shaped()
    indices = index.elts if isinstance(index, ast.Tuple) else [index]
    count = sum(not (isinstance(one, ast.Constant) and one.value in (None, ...)) for one in indices)
    if isinstance(index, (ast.Slice, ast.Tuple)) or isinstance(position, int):
        at_least(found.row, count)
    front, dims = found.row.expand()
    simple = all(isinstance(one, ast.Slice) or _is_whole(one) for one in indices)
    if front is not None or not simple or len(indices) > len(dims):
        return Shaped()
    kept = (Dim() if one.lower or one.upper or one.step else dim for one, dim in _slices(indices, dims))
    return Shaped(closed((*kept, *dims[len(indices) :])))


def _slices(indices: list[ast.expr], dims: tuple[Dim, ...]) -> Iterator[tuple[ast.Slice, Dim]]:
    for one, dim in zip(indices, dims, strict=False):
        if isinstance(one, ast.Slice):
            yield one, dim


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def einsum(equation: str, operands: list[object]) -> object:
    """The result of an einsum, whose letters name the dims of its operands."""
    inputs, _, result = equation.replace(" ", "").partition("->")
    names: dict[str, Dim] = {}

    def row(letters: str) -> tuple[Dim, ...]:
        return tuple(names.setdefault(letter, Dim()) for letter in letters)

    for letters, operand in zip(inputs.split(","), operands, strict=False):
        found = tensor(operand)
        if found is not None and letters.isalpha():
            unify(found.row, closed(row(letters)))
    return Shaped(closed(row(result))) if result.isalpha() else Shaped()


def rearranged(operand: object, pattern: str) -> object:
    """The result of a rearrangement in words: `b (h d) w -> ...`."""
    left, _, right = pattern.partition("->")
    found = tensor(operand)
    if found is None or "..." in pattern:
        return Shaped()
    names: dict[str, Dim] = {}
    unify(found.row, closed(tuple(_axis(word, names) for word in _axes(left))))
    return Shaped(closed(tuple(_axis(word, names) for word in _axes(right))))


def _axes(side: str) -> list[str]:
    """The axes of one side of a rearrangement; `(h w)` is one."""
    words: list[str] = []
    depth = 0
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            depth += 1 if word == "(" else -1
            words += ["("] if word == "(" else []
        elif not depth:
            words.append(word)
    return words


def _axis(word: str, names: dict[str, Dim]) -> Dim:
    if word == "(":
        return Dim()
    return Dim(value=int(word)) if word.isdigit() else names.setdefault(word, Dim(name=word))
