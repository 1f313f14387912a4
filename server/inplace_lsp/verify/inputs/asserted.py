"""What an assertion that failed asks of the tensors that a function is given: `assert cov.shape[-2:] == (3, 3)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.program import Function
from inplace_lsp.verify.inputs.recipes import Group, Tensor, replace_at

_LONGEST = 6
_COMPARED = re.compile(r"\(\d+ and (\d+)\)")
"""The numbers that a failed assertion compared."""


def meet_assertion(root: Group, function: Function, row: int, error: str) -> Iterator[Group]:
    """Yield the plan with arguments of the sizes and ranks that the assertion in a row compares theirs with. `error`
    tells the numbers that are no literals."""
    arguments = root.get("arguments")
    told = _COMPARED.search(error)
    for test in _tests_in(function, row):
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.In)):
            name = _argument_in(test.left)
            given = arguments.get(name) if isinstance(arguments, Group) else None
            wanted = _wanted(test.comparators[0]) or ((int(told[1]),) if told else ())
            if isinstance(given, Tensor):
                for shape in _shapes(given.shape, test.left, wanted):
                    yield replace_at(root, ("arguments", name), replace(given, shape=shape))
            elif isinstance(given, Group) and given.head == "[" and given.items and _is_length(test.left, name):
                yield from (replace_at(root, ("arguments", name), _of_length(given, size)) for size in wanted)


def _is_length(node: ast.expr, name: str) -> bool:
    """Return whether an expression is `len(name)`."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=measured)]):
            return measured == name
    return False


def _of_length(given: Group, size: int) -> Group:
    """Return a list with so many of its items, the last one repeated."""
    items = [item for _, item in given.items]
    items += [items[-1]] * (size - len(items))
    return Group(given.head, tuple((str(at), item) for at, item in enumerate(items[:size])))


def _tests_in(function: Function, row: int) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert) and node.lineno <= row <= (node.end_lineno or node.lineno):
            yield from node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]


def _argument_in(node: ast.expr) -> str:
    """Return the name whose shape, rank or length an expression reads."""
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Call)):
        if isinstance(node, ast.Call):
            node = node.args[0] if isinstance(node.func, ast.Name) and node.args else node.func
        else:
            node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _wanted(node: ast.expr) -> tuple[int, ...]:
    """Return the numbers that are compared with."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError, RecursionError):
        return ()
    numbers = value if isinstance(value, (tuple, list)) else (value,)
    return tuple(numbers) if all(type(number) is int and number >= 0 for number in numbers) else ()


def _shapes(shape: tuple[int, ...], read: ast.expr, wanted: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the shapes that have what is read as it is wanted."""
    match read:
        case _ if not wanted:
            return
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Slice(lower=ast.expr(), upper=None)):
            rank = len(shape) if len(shape) >= len(wanted) else len(wanted)
            yield (*names.default_shape(rank)[: rank - len(wanted)], *wanted)
            yield wanted
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
            yield from _with_size(shape, index, wanted[0])
        case ast.Call(func=ast.Attribute(attr="size"), args=[index]):
            yield from _with_size(shape, index, wanted[0])
        case ast.Attribute(attr="ndim") | ast.Call(func=ast.Attribute(attr="dim" | "ndimension")):
            yield from _of_rank(shape, wanted)
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(attr="shape")]):
            yield from _of_rank(shape, wanted)
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"), args=[]):
            yield wanted
        case ast.Call(func=ast.Name(id="len")) if shape:
            yield (wanted[0], *shape[1:])


def _with_size(shape: tuple[int, ...], index: ast.expr, size: int) -> Iterator[tuple[int, ...]]:
    try:
        at = ast.literal_eval(index)
    except (ValueError, SyntaxError, TypeError):
        return
    if type(at) is int and -_LONGEST <= at < _LONGEST:
        rank = max(len(shape), at + 1, -at)
        known = [*names.default_shape(rank)[: rank - len(shape)], *shape]
        known[at] = size
        yield tuple(known)


def _of_rank(shape: tuple[int, ...], ranks: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for rank in ranks:
        if rank <= _LONGEST:
            usual = names.default_shape(rank)
            yield (*usual[: rank - len(shape)], *shape) if rank >= len(shape) else shape[-rank:] if rank else ()
            yield usual
