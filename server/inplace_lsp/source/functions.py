"""Find the function that contains a row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit

Placed = TypeVar("Placed")

LOCALS = "<locals>"
"""The part of a qualified name, as in Python's own, between a function and a definition inside it."""


@dataclass(frozen=True, slots=True)
class Enclosing:
    """A function: its qualified name, the row and column of the header's name, and its last row."""

    name: str
    row: int
    column: int
    end_row: int


def find_function_at(units: Sequence[Unit], row: int) -> Enclosing | None:
    """Return the innermost function that contains the statement on `row`; None outside all functions."""
    unit = _find_last_above(units, row, lambda unit: unit.row)
    if unit is None:
        return None
    shift = unit.row - 1
    found, path = None, ""
    inside = _find_last_above(unit.statements, row - shift, _find_first_row)
    while inside is not None:
        if isinstance(inside, ir.FunctionDef):
            found = Enclosing(
                path + inside.name, inside.place[0] + shift, inside.place[1], _find_last_row(inside) + shift
            )
            path += f"{inside.name}.{LOCALS}."
        elif isinstance(inside, ir.ClassDef):
            path += f"{inside.name}."
        inside = _find_last_above(tuple(_list_inner_statements(inside)), row - shift, _find_first_row)
    return found


def _find_last_above(candidates: Sequence[Placed], row: int, start: Callable[[Placed], int]) -> Placed | None:
    """Return the last candidate that starts at or above `row`; they are sorted by row."""
    above = bisect_right(candidates, row, key=start)
    return candidates[above - 1] if above else None


def _list_inner_statements(statement: ir.Statement) -> Iterator[ir.Statement]:
    """Yield the statements of all blocks of `statement`, in order."""
    yield from getattr(statement, "body", ())
    for clause in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield from clause.body
    yield from getattr(statement, "orelse", ())
    yield from getattr(statement, "final", ())


def _find_last_row(statement: ir.Statement) -> int:
    """Return the last row of a statement; the place of a definition covers its name alone."""
    inside = statement.body if isinstance(statement, (ir.FunctionDef, ir.ClassDef)) else ()
    return _find_last_row(inside[-1]) if inside else statement.place[2]


def _find_first_row(statement: ir.Statement) -> int:
    """Return the first row of a statement, decorators included."""
    decorators: tuple[ir.Expr, ...] = getattr(statement, "decorators", ())
    return min(node.place[0] for node in (statement, *decorators))
