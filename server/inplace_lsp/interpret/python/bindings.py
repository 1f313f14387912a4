"""Which names a module binds, by its text alone: what has to be executed to know a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from inplace_lsp.source import ir
from inplace_lsp.source.module_units import UnreadUnit
from inplace_lsp.source.units import Unit

KEPT = 64
"""Files whose names are remembered: each keeps the statements of a whole file alive, after an edit those of the former
text."""


@lru_cache(maxsize=KEPT)
def bindings(units: tuple[Unit, ...]) -> dict[str, list[Unit]]:
    """The units that bind each module-level name, in order; an unread one may turn out to bind nothing."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        for name in (unit.name,) if isinstance(unit, UnreadUnit) else bound(unit.statements):
            found.setdefault(name, []).append(unit)
    return found


@lru_cache(maxsize=KEPT)
def stars(units: tuple[Unit, ...]) -> tuple[tuple[int, str], ...]:
    """Level and name of each module that a star import takes everything from, in order."""
    read = (unit for unit in units if not isinstance(unit, UnreadUnit))
    return tuple((node.level, node.module) for unit in read for node in _stars(unit.statements))


def _stars(body: Sequence[ir.Statement]) -> Iterator[ir.ImportFrom]:
    for node in body:
        if isinstance(node, ir.ImportFrom) and node.names[0][0] == "*":
            yield node
        elif isinstance(node, (ir.If, ir.Try, ir.With)):
            yield from _stars(node.body)
            yield from _stars(getattr(node, "orelse", ()))


def bound(body: Sequence[ir.Statement]) -> Iterator[str]:
    """The names that the statements bind, each as often as they do."""
    for node in body:
        if isinstance(node, (ir.FunctionDef, ir.ClassDef)):
            yield node.name
        elif isinstance(node, ir.Import):
            yield from (alias or name.partition(".")[0] for name, alias in node.names)
        elif isinstance(node, ir.ImportFrom):
            yield from (alias or name for name, alias in node.names if name != "*")
        elif isinstance(node, ir.Assign):
            for target in node.targets:
                yield from _targets(target)
        elif isinstance(node, ir.Annotate):
            yield from _targets(node.target)
        elif isinstance(node, (ir.If, ir.Try, ir.With, ir.For, ir.While)):
            if isinstance(node, ir.For):
                yield from _targets(node.target)
            yield from bound(node.body)
            yield from bound(getattr(node, "orelse", ()))


def _targets(target: ir.Expr) -> Iterator[str]:
    if isinstance(target, ir.Name):
        yield target.id
    elif isinstance(target, ir.Sequence):
        for item in target.items:
            yield from _targets(item)
