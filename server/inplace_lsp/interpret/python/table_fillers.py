"""Find which units of a module fill its tables, from its text alone: what has to be executed to know their entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from inplace_lsp.interpret.python.bindings import REMEMBERED_FILES, find_binding_units
from inplace_lsp.interpret.python.texts import METHODS
from inplace_lsp.source import ir
from inplace_lsp.source.module_units import UnreadUnit
from inplace_lsp.source.units import Unit

FILLING = re.compile(r"register\w*|add|append|extend|insert|setdefault|update")
"""The methods that put entries into a list, a set, a dict or a registry."""
_IMPORTS = (ir.Import, ir.ImportFrom)


@lru_cache(maxsize=REMEMBERED_FILES)
def find_filling_units(units: tuple[Unit, ...]) -> Mapping[str, Sequence[Unit]]:
    """Return the units that fill each module-level table, in order: by an assignment to an element, a method, a
    decorator, or a function of the module that does so."""
    module = _Module(find_binding_units(units))
    found: dict[str, list[Unit]] = {}
    for unit in units:
        for name in dict.fromkeys(module.find_tables(unit)):
            found.setdefault(name, []).append(unit)
    return found


class _Module:
    """The units of a module by the names they bind; `_filled` are the tables that each of its functions fills."""

    def __init__(self, binding: Mapping[str, Sequence[Unit]]) -> None:
        self._binding = binding
        self._filled: dict[str, tuple[str, ...]] = {}

    def find_tables(self, unit: Unit) -> Iterator[str]:
        """Yield the names of the tables that a unit may fill."""
        if isinstance(unit, UnreadUnit) and not any(map(self._is_made_here, unit.decorators)):
            return
        for node in _find_statements(unit.statements):
            for change in () if self._runs_program(node) else _find_changes(node):
                yield from self._find_changed_names(change)

    def _runs_program(self, node: ir.Statement) -> bool:
        """Return whether a statement records what a function of the module returns: `losses.append(train(model))`."""
        if not isinstance(node, ir.ExprStatement) or not isinstance(node.value, ir.Call):
            return False
        calls = (part for part in ir.walk_nodes(node.value.arguments) if isinstance(part, ir.Call))
        names = (call.function.id for call in calls if isinstance(call.function, ir.Name))
        return any(name[:1].islower() and self._is_made_here(name) for name in names)

    def _is_made_here(self, name: str) -> bool:
        """Return whether the module does more than import the name."""
        return any(
            isinstance(unit, UnreadUnit) or not all(isinstance(node, _IMPORTS) for node in unit.statements)
            for unit in self._binding.get(name, ())
        )

    def _find_changed_names(self, node: ir.Expr) -> Iterator[str]:
        """Yield the names of the tables that an assignment to `node`, its call, or its use as a decorator may fill."""
        called = node.function if isinstance(node, ir.Call) else node
        if isinstance(called, ir.Call):  # `register("name")(cls)`
            yield from self._find_changed_names(called)
        elif isinstance(called, ir.Name):
            yield from self._find_tables_of_function(called.id)
        else:
            yield from filter(self._is_made_here, _find_changed_root(called))

    def _find_tables_of_function(self, name: str) -> Sequence[str]:
        """Return the names of the tables that a function of the module fills, itself or by a function in it."""
        if name not in self._filled:
            statements = chain.from_iterable(unit.statements for unit in self._binding.get(name, ()))
            bodies = [node.body for node in statements if isinstance(node, ir.FunctionDef) and not _has_loops(node)]
            changes = (change for node in ir.walk_nodes(tuple(bodies)) for change in _find_changes(node))
            called = (change.function if isinstance(change, ir.Call) else change for change in changes)
            roots = chain.from_iterable(map(_find_changed_root, called))
            self._filled[name] = tuple(dict.fromkeys(filter(self._is_made_here, roots)))
        return self._filled[name]


def _find_statements(body: Sequence[ir.Statement]) -> Iterator[ir.Statement]:
    """Yield the statements that are executed with the module, those in branches among them, and those in loops that
    only fill tables: others are the program itself, which records what it does as it goes."""
    for node in body:
        yield node
        if isinstance(node, (ir.If, ir.Try)) or (isinstance(node, ir.For) and _only_fills(node)):
            yield from _find_statements((*node.body, *getattr(node, "orelse", ())))


def _only_fills(loop: ir.For) -> bool:
    """Return whether the body of a loop calls nothing but methods that fill tables, and those of texts."""
    called = [node.function for node in ir.walk_nodes(loop.body) if isinstance(node, ir.Call)]
    names = [function.name if isinstance(function, ir.Attribute) else "" for function in called]
    return all(name in METHODS or FILLING.fullmatch(name) for name in names)


def _has_loops(function: ir.FunctionDef) -> bool:
    """Return whether a function has a loop: it does more than register something, as one that trains does."""
    return any(isinstance(node, (ir.For, ir.While)) for node in ir.walk_nodes(function.body))


def _find_changes(node: object) -> Sequence[ir.Expr]:
    """Return the expressions of a statement that may fill a table: elements assigned to, calls and decorators."""
    if isinstance(node, ir.Assign):
        return [target for target in node.targets if isinstance(target, ir.Subscript)]
    if isinstance(node, ir.ExprStatement):
        return [node.value] if isinstance(node.value, ir.Call) else ()
    return node.decorators if isinstance(node, (ir.FunctionDef, ir.ClassDef)) else ()


def _find_changed_root(node: ir.Expr) -> Iterator[str]:
    """Yield the name at the beginning of `name.part[0]`, which is assigned to, or of `name.part.append`, which is
    called."""
    if not (isinstance(node, ir.Subscript) or (isinstance(node, ir.Attribute) and FILLING.fullmatch(node.name))):
        return
    while isinstance(node, (ir.Attribute, ir.Subscript)):
        node = node.value
    if isinstance(node, ir.Name):
        yield node.id
