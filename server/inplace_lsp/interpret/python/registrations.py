"""Fill registries from other modules: importing these executes definitions whose decorators register them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from inplace_lsp.interpret.machine.machine import Machine, ModulesInSight
from inplace_lsp.interpret.python.models import find_units
from inplace_lsp.interpret.python.source_modules import LIBRARIES, MODULES, open_scope
from inplace_lsp.interpret.state.facts import ModuleQuestion, ModuleText
from inplace_lsp.interpret.state.values import Frame, Instance, Mapping, Value
from inplace_lsp.source import ir
from inplace_lsp.source.module_units import UnreadUnit
from inplace_lsp.source.units import Unit


def note_tables(machine: Machine, frame: Frame, names: Iterable[str]) -> None:
    """Record the dicts that a module of the project makes empty, for its importers to fill."""
    if frame.third_party or frame.model is not None:
        return
    for name in names:
        for table in _find_tables(frame.names.get(name)):
            if not (table.items or table.open or table.default):
                machine.tables[id(table)] = table


def _find_tables(value: Value | None) -> Sequence[Mapping]:
    """Return the dict that a value is, or those that a plain object holds."""
    if isinstance(value, Instance) and value.base is None:
        return [held for held in value.attributes.values() if isinstance(held, Mapping)]
    return [value] if isinstance(value, Mapping) else ()


def execute_registrations(machine: Machine, key: str) -> None:
    """Execute the decorated definitions that imported modules may register under a name."""
    for module in _find_modules_in_sight(machine):
        for name in _find_registered_definitions(module).get(key, ()):
            scope = open_scope(machine, module)
            if scope is not None and name not in scope.names:
                scope.look_up(name)


def _find_modules_in_sight(machine: Machine) -> Sequence[ModuleText]:
    """Return the result of `_find_modules`, computed again if the file, the facts or the opened modules differ from
    those of the last key."""
    file, facts, opened = machine.recorder.site.file, machine.facts, list(machine.modules)
    known = machine.in_sight
    if known is None or known.facts is not facts or (known.file, known.opened) != (file, opened):
        machine.in_sight = known = ModulesInSight(file, facts, opened, list(_find_modules(machine)))
    return known.modules


def _find_modules(machine: Machine) -> Iterator[ModuleText]:
    """Yield the project's modules that are loaded with those looked into: their packages, and what these import."""
    opened = [module for module in machine.scopes if module.filename in machine.modules]
    files = [machine.recorder.site.file, *machine.modules]
    packages = [machine.facts.find_module(ModuleQuestion(file, 1, "")) for file in files]
    waiting = [*opened, *packages]
    seen: set[str] = set()
    while waiting and len(seen) < MODULES:
        module = waiting.pop(0)
        if module is None or not module.own or module.model or module.filename in seen:
            continue
        seen.add(module.filename)
        yield module
        waiting.extend(machine.facts.find_module(question) for question in _find_imports(module))


@lru_cache(maxsize=512)
def _find_imports(module: ModuleText) -> Sequence[ModuleQuestion]:
    """Return the modules that a module imports; of a package, also the names that may be its parts."""
    units = [unit for unit in find_units(module) if not isinstance(unit, UnreadUnit)]
    found: list[ModuleQuestion] = []
    for node in ir.walk_nodes(tuple(node for unit in units for node in unit.statements)):
        if isinstance(node, ir.Import):
            found += [ModuleQuestion(module.filename, 0, name) for name, _ in node.names]
        elif isinstance(node, ir.ImportFrom):
            parts = [f"{node.module}.{name}".lstrip(".") for name, _ in node.names if name != "*"]
            found += [ModuleQuestion(module.filename, node.level, name) for name in (node.module, *parts)]
    return [question for question in found if question.level or question.name.partition(".")[0] not in LIBRARIES]


@lru_cache(maxsize=512)
def _find_registered_definitions(module: ModuleText) -> dict[str, list[str]]:
    """Return the decorated definitions of a module by the names that they may be registered under: their own, and the
    texts that their decorators are given."""
    found: dict[str, list[str]] = {}
    for unit in find_units(module):
        for name, keys in _find_keys(unit):
            for key in (name, *keys):
                found.setdefault(key, []).append(name)
    return found


def _find_keys(unit: Unit) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the name of each decorated definition, with the texts in its decorators."""
    if isinstance(unit, UnreadUnit):  # there are no texts in its decorators
        if unit.decorators:
            yield unit.name, ()
        return
    for node in unit.statements:
        if isinstance(node, (ir.FunctionDef, ir.ClassDef)) and node.decorators:
            constants = (part.value for part in ir.walk_nodes(node.decorators) if isinstance(part, ir.Const))
            yield node.name, [text for text in constants if isinstance(text, str)]
