"""Find which fillers of a table only put entries into it, from the text alone: the table's other fillers need not run
before one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import chain

from inplace_lsp.interpret.python.bindings import REMEMBERED_FILES, find_binding_units
from inplace_lsp.interpret.python.table_fillers import FILLING, find_filling_units
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit

_PARTS = (ir.Attribute, ir.Subscript)


@lru_cache(maxsize=REMEMBERED_FILES)
def find_fillers(units: tuple[Unit, ...]) -> Fillers:
    """Return the units of a module that fill its tables."""
    return Fillers(units)


class Fillers:
    """The units of a module that fill its tables, and the names that these read when they are executed, found when they
    are asked for.

    What a name is put into, as in `TABLE[key] = value`, `TABLE.append(value)` and `@TABLE.register()`, is not read, and
    neither is what is only asked whether it has an entry.
    """

    def __init__(self, units: tuple[Unit, ...]) -> None:
        self._binding = find_binding_units(units)
        self._of_tables = find_filling_units(units)
        self._tables: dict[Unit, set[str]] = {}
        for name, fillers in self._of_tables.items():
            for filler in fillers:
                self._tables.setdefault(filler, set()).add(name)
        self._read: dict[Unit, frozenset[str]] = {}
        self._read_in_definitions: dict[str, frozenset[str]] = {}

    def of_table(self, name: str) -> Sequence[Unit]:
        """Return the units that fill a table, in order."""
        return self._of_tables.get(name, ())

    def tables_of(self, unit: Unit) -> Set[str]:
        """Return the names of the tables that a unit may fill."""
        return self._tables.get(unit, frozenset())

    def only_puts(self, unit: Unit, table: str) -> bool:
        """Return whether a unit puts entries into a table and does not read it, neither itself nor in a definition of
        the module that it mentions."""
        if table not in self.tables_of(unit):
            return False
        if unit not in self._read:
            self._read[unit] = self._find_names(unit)
        return table not in self._read[unit]

    def _find_names(self, unit: Unit) -> frozenset[str]:
        found = set(_find_read_names(unit.statements, with_bodies=False))
        waiting = list(found)
        while waiting:
            new = self._find_names_in_definition(waiting.pop()) - found
            found |= new
            waiting.extend(new)
        return frozenset(found)

    def _find_names_in_definition(self, name: str) -> frozenset[str]:
        if name not in self._read_in_definitions:
            bodies = [unit.statements for unit in self._binding.get(name, ())]
            read = (_find_read_names(body, with_bodies=True) for body in bodies if all(map(_is_definition, body)))
            self._read_in_definitions[name] = frozenset(chain.from_iterable(read))
        return self._read_in_definitions[name]


def _is_definition(node: ir.Statement) -> bool:
    return isinstance(node, (ir.FunctionDef, ir.ClassDef))


def _find_read_names(code: Sequence[ir.Statement], *, with_bodies: bool) -> Iterator[str]:
    """Yield the names that code reads, those in the bodies of its functions if wanted. What is raised is not counted:
    a message is no use of a table."""
    stack: list[object] = [code]
    while stack:
        node = stack.pop()
        if isinstance(node, ir.Name):
            yield node.id
        elif isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, ir.FunctionDef) and not with_bodies:
            stack += [node.decorators, tuple(parameter.default for parameter in node.parameters)]
        elif not isinstance(node, ir.Raise):
            stack.extend(_find_read_parts(node))


def _find_read_parts(node: object) -> Sequence[object]:
    """Return the parts of a node that are read, without the name of what it puts an entry into or asks for one."""
    if isinstance(node, ir.Assign):
        return [node.value, *(part for target in node.targets for part in _drop_root(target))]
    if isinstance(node, ir.Attribute) and FILLING.fullmatch(node.name):
        return _drop_root(node)
    if isinstance(node, ir.Compare):
        parts = (_drop_root(right) if op in ("in", "not in") else [right] for op, right in node.rest)
        return [node.left, *(part for found in parts for part in found)]
    return ir.list_children(node)


def _drop_root(node: ir.Expr) -> Sequence[object]:
    """Return what is read in `name.part[index]` besides the name: the indices; or the beginning, if it is no name."""
    found: list[object] = []
    while isinstance(node, _PARTS):
        if isinstance(node, ir.Subscript):
            found.append(node.index)
        node = node.value
    return found if isinstance(node, ir.Name) else [*found, node]
