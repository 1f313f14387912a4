"""Find the expression under a cursor, and the operator if the cursor is on one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit

_OPERATIONS = (ir.BinOp, ir.AugAssign)


@dataclass(frozen=True, slots=True)
class Found:
    """An expression with its dotted name up to the part under the cursor, or "". `operator`: the operator under the
    cursor, as written. `called`: the expression is the callee of a call."""

    name: str = ""
    operator: str = ""
    called: bool = False


def find_at(units: Sequence[Unit], row: int, column: int) -> Found:
    """Return the expression or operator that the cursor points at."""
    under = _find_under(units, row, column)
    return under if under.name or under.operator or not column else _find_under(units, row, column - 1)


def _find_under(units: Sequence[Unit], row: int, column: int) -> Found:
    """Return the expression or operator that the character at this place belongs to."""
    at = bisect_right(units, row, key=lambda unit: unit.row) - 1
    if at < 0:
        return Found()
    return _describe_path(list(_find_path(units[at].statements, (row - units[at].row + 1, column))))


def _find_path(code: object, at: tuple[int, int]) -> Iterator[object]:
    """Yield the nodes around a place, the outermost first."""
    while True:
        inside = next((node for node in _list_placed_nodes(code) if _covers_place(node, at)), None)
        if inside is None:
            return
        yield inside
        code = ir.list_children(inside)


def _list_placed_nodes(code: object) -> Iterator[object]:
    """Yield the nodes directly in `code`; for a node without a place, the nodes in it."""
    if isinstance(code, tuple):
        for item in code:
            yield from _list_placed_nodes(item)
    elif hasattr(code, "place"):
        yield code
    elif code is not None:
        yield from _list_placed_nodes(ir.list_children(code))


def _covers_place(node: object, at: tuple[int, int]) -> bool:
    if isinstance(node, (ir.FunctionDef, ir.ClassDef)):  # their place is the header's name
        return any(_covers_place(inner, at) for inner in _list_placed_nodes(ir.list_children(node)))
    place: ir.Place = node.place  # type: ignore[attr-defined]
    return place[:2] <= at < place[2:]


def _describe_path(path: list[object]) -> Found:
    inner = path[-1] if path else None
    outer = path[-2] if len(path) > 1 else None
    called = isinstance(outer, ir.Call) and outer.function is inner
    if isinstance(inner, (ir.Name, ir.Attribute)):
        return Found(name=_dotted_name(inner), called=called)
    if isinstance(inner, _OPERATIONS):
        return Found(operator=f"{inner.op}=" if isinstance(inner, ir.AugAssign) else inner.op)
    return Found()


def _dotted_name(node: ir.Expr) -> str:
    """Return `a.b` for a chain of attributes of a variable, "" for anything else."""
    if isinstance(node, ir.Name):
        return node.id
    if isinstance(node, ir.Attribute):
        inner = _dotted_name(node.value)
        return f"{inner}.{node.name}" if inner else node.name
    return ""
