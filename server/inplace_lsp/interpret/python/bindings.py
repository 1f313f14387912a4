"""Find which names a module binds, from its text alone: what has to be executed to know a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from inplace_lsp.source import ir
from inplace_lsp.source.module_units import UnreadUnit
from inplace_lsp.source.units import Unit

Binding: TypeAlias = Mapping[str, Sequence[Unit]]
"""The units that bind each module-level name, in order."""
REMEMBERED_FILES = 64
"""Files whose names are cached. Each entry keeps the statements of a whole file alive, after an edit those of the
old text."""


@lru_cache(maxsize=REMEMBERED_FILES)
def find_binding_units(units: tuple[Unit, ...]) -> dict[str, list[Unit]]:
    """Return the units that bind each module-level name, in order; an unread unit may turn out to bind nothing."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        for name in find_names_of_unit(unit):
            found.setdefault(name, []).append(unit)
    return found


def find_names_of_unit(unit: Unit) -> Iterable[str]:
    """Return the names that a unit binds, once for each binding."""
    return (unit.name,) if isinstance(unit, UnreadUnit) else find_bound_names(unit.statements)


@lru_cache(maxsize=REMEMBERED_FILES)
def find_star_imports(units: tuple[Unit, ...]) -> tuple[tuple[int, str], ...]:
    """Return level and name of each module that is imported with a star, in order."""
    read = (unit for unit in units if not isinstance(unit, UnreadUnit))
    return tuple((node.level, node.module) for unit in read for node in _find_star_imports_in(unit.statements))


def _find_star_imports_in(body: Sequence[ir.Statement]) -> Iterator[ir.ImportFrom]:
    for node in body:
        if isinstance(node, ir.ImportFrom) and node.names[0][0] == "*":
            yield node
        elif isinstance(node, (ir.If, ir.Try, ir.With)):
            yield from _find_star_imports_in(node.body)
            yield from _find_star_imports_in(getattr(node, "orelse", ()))


def find_bound_names(body: Sequence[ir.Statement]) -> Iterator[str]:
    """Yield the names that the statements bind, once for each binding."""
    for node in body:
        yield from _find_names_bound_by(node)
        if isinstance(node, (ir.If, ir.Try, ir.With, ir.For, ir.While)):
            yield from find_bound_names(node.body)
            yield from find_bound_names(getattr(node, "orelse", ()))


def _find_names_bound_by(node: ir.Statement) -> Iterator[str]:
    """Yield the names that a statement binds, without those bound in its body."""
    match node:
        case ir.FunctionDef() | ir.ClassDef():
            yield node.name
        case ir.Import():
            yield from (alias or name.partition(".")[0] for name, alias in node.names)
        case ir.ImportFrom():
            yield from (alias or name for name, alias in node.names if name != "*")
        case ir.Assign():
            for target in node.targets:
                yield from _find_target_names(target)
        case ir.Annotate() | ir.For():
            yield from _find_target_names(node.target)


def _find_target_names(target: ir.Expr) -> Iterator[str]:
    if isinstance(target, ir.Name):
        yield target.id
    elif isinstance(target, ir.Sequence):
        for item in target.items:
            yield from _find_target_names(item)
