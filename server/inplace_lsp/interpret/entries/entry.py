"""The functions and methods that are judged on their own, and the values that their names are bound to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.interpret.state.spans import make_span
from inplace_lsp.interpret.state.values import Class, Frame, Function
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class Entry:
    """A function or method to be judged on its own; `path` are the classes around it."""

    name: str
    definition: ir.FunctionDef
    unit: Unit
    path: tuple[str, ...]

    def find_span(self, file: str) -> Span:
        """Return the span of the function's name."""
        return make_span(file, self.unit.row, self.definition.place)

    def find_whole(self, file: str) -> Span:
        """Return the span from the function's name to the end of its body."""
        place = self.definition.place
        end = self.definition.body[-1].place if self.definition.body else place
        return make_span(file, self.unit.row, (*place[:2], *end[2:]))


def find_entries(units: Sequence[Unit]) -> Iterator[Entry]:
    """Yield every function and method of the module, those inside `if` and `try` included."""
    for unit in units:
        for statement in find_definitions(unit.statements):
            yield from _find_entries_in(statement, unit, ())


def _find_entries_in(node: ir.FunctionDef | ir.ClassDef, unit: Unit, path: tuple[str, ...]) -> Iterator[Entry]:
    if isinstance(node, ir.FunctionDef):
        yield Entry(".".join([*path, node.name]), node, unit, path)
    else:
        for member in find_definitions(node.body):
            yield from _find_entries_in(member, unit, (*path, node.name))


def find_definitions(body: Sequence[ir.Statement]) -> Iterator[ir.FunctionDef | ir.ClassDef]:
    """Yield the functions and classes that a body defines, those inside `if` and `try` included."""
    for statement in body:
        if isinstance(statement, (ir.FunctionDef, ir.ClassDef)):
            yield statement
        elif isinstance(statement, (ir.If, ir.Try, ir.With)):
            yield from find_definitions(statement.body)
            yield from find_definitions(getattr(statement, "orelse", ()))


def find_function(frame: Frame, entry: Entry, owner: Class | None) -> Function | None:
    """Return the function that the entry's name is bound to, decorated or not."""
    name = entry.definition.name
    names = (name, f"{name}.setter", f"{name}.deleter")
    found = [owner.members.get(n) for n in names] if owner is not None else [frame.look_up(name)]
    return next((f for f in found if isinstance(f, Function) and find_undecorated_function(f, entry.definition)), None)


def find_undecorated_function(function: Function, definition: ir.FunctionDef) -> Function | None:
    """Return the function with that definition: `function`, or the one that it, a decorator's, closes over."""
    if function.definition is definition:
        return function
    scope: Frame | None = function.frame
    while scope is not None and scope.module is not None:
        for value in scope.names.values():
            if isinstance(value, Function) and value.definition is definition:
                return value
        scope = scope.parent
    return None
