"""Which function a row belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit

Placed = TypeVar("Placed")

LOCALS = "<locals>"
"""Stands in a qualified name, as in Python's own, between a function and what is defined inside of it."""


@dataclass(frozen=True, slots=True)
class Enclosing:
    """A function: its qualified name, and the row and column of the header's name."""

    name: str
    row: int
    column: int


def function_at(units: Sequence[Unit], row: int) -> Enclosing | None:
    """The innermost function that the statement on `row` is part of; None for one of the module (or of a class)."""
    unit = _last(units, row, lambda one: one.row)
    if unit is None:
        return None
    shift = unit.row - 1
    found, path = None, ""
    inside = _last(unit.statements, row - shift, _start)
    while inside is not None:
        if isinstance(inside, ir.FunctionDef):
            found = Enclosing(path + inside.name, inside.place[0] + shift, inside.place[1])
            path += f"{inside.name}.{LOCALS}."
        elif isinstance(inside, ir.ClassDef):
            path += f"{inside.name}."
        inside = _last(tuple(_inside(inside)), row - shift, _start)
    return found


def _last(candidates: Sequence[Placed], row: int, start: Callable[[Placed], int]) -> Placed | None:
    """Of things in the order of their rows the last one that starts at or above `row`."""
    above = bisect_right(candidates, row, key=start)
    return candidates[above - 1] if above else None


def _inside(statement: ir.Statement) -> Iterator[ir.Statement]:
    """The statements of all blocks of `statement`, in their order."""
    yield from getattr(statement, "body", ())
    for clause in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield from clause.body
    yield from getattr(statement, "orelse", ())
    yield from getattr(statement, "final", ())


def _start(statement: ir.Statement) -> int:
    """The first row of a statement, its decorators included."""
    decorators: tuple[ir.Expr, ...] = getattr(statement, "decorators", ())
    return min(one.place[0] for one in (statement, *decorators))
