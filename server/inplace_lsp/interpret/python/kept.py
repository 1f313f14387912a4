"""What a unit that only defines has bound: functions, classes, imports and constants that every path finds the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter, is_
from typing import Any

from inplace_lsp.interpret.python.bindings import bound
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Class, Function, Imported, Items, Known, Library, Value
from inplace_lsp.source import ir

_CHANGEABLE = attrgetter("kind", "modes", "results", "dispatch")


@dataclass(frozen=True, slots=True)
class Kept:
    """The names a unit bound, and what it takes to bind them again without executing it.

    `asked` are the names of the module that it looked up, `seen` what they were (None: no unit binds them). `steps` and
    `abroad` are what executing it costs. A path can change `functions` and `classes`: `states` and `members` are what
    they were.
    """

    binds: dict[str, Value]
    asked: frozenset[str]
    seen: tuple[tuple[str, Value | None], ...]
    steps: int
    abroad: int
    functions: tuple[Function, ...]
    states: tuple[object, ...]
    members: tuple[tuple[Class, dict[str, Value]], ...]

    @classmethod
    def of(
        cls, statements: Sequence[ir.Statement], frame: Frame, asked: set[str], steps: int, abroad: int
    ) -> Kept | None:
        """What `statements`, which were executed in the module of `frame`, bound; None if a path may need its own."""
        names = frame.names
        binds = {name: names[name] for name in bound(statements) if name in names}
        seen = tuple((name, names.get(name)) for name in asked)
        if not binds.keys().isdisjoint(asked):  # `x = x or 1`: what another unit bound before is lost
            return None
        if not all(map(_is_constant, (*binds.values(), *(value for _, value in seen if value is not None)))):
            return None
        classes = [one for value in binds.values() for one in _classes(value)]
        owners = chain(binds.values(), *(one.members.values() for one in classes))
        functions = tuple(one for one in owners if isinstance(one, Function))
        members = tuple((one, dict(one.members)) for one in classes)
        return cls(binds, frozenset(asked), seen, steps, abroad, functions, _states(functions), members)

    def holds(self, frame: Frame) -> bool:
        """Whether executing the unit now would bind the same: nothing it looks up is another, nothing was changed."""
        names = frame.names
        for name, value in self.seen:
            now = names.get(name)
            if now is None or type(now) is Imported:
                now = frame.lookup(name)
            if now is not value:
                return False
        frame.asked.update(self.asked)
        return all(map(is_, _states(self.functions), self.states)) and all(
            same_entries(one.members, then) for one, then in self.members
        )


def _states(functions: Iterable[Function]) -> tuple[object, ...]:
    return tuple(chain.from_iterable(map(_CHANGEABLE, functions)))


def same_entries(now: Mapping[Any, object], then: Mapping[Any, object]) -> bool:
    """Whether two dicts hold the very same objects, in the same order."""
    return len(now) == len(then) and all(map(is_, now.values(), then.values())) and all(map(is_, now, then))


def _is_constant(value: Value) -> bool:
    """Whether no path changes the value but in a way that `holds` notices."""
    if isinstance(value, Function):
        return value.results is None and value.dispatch is None and all(map(_is_constant, value.defaults.values()))
    if isinstance(value, Class):
        return all(_is_constant(one) for name, one in value.members.items() if name != "__annotated__")
    if isinstance(value, Items):
        return value.kind == "tuple" and not value.open and all(map(_is_constant, value.items))
    return isinstance(value, (Known, Library, Imported))


def _classes(value: Value) -> list[Class]:
    """The class that `value` is, and those in it."""
    if not isinstance(value, Class):
        return []
    return [value, *(one for member in value.members.values() for one in _classes(member))]


def only_defines(statements: Iterable[ir.Statement]) -> bool:
    """Whether the statements, as long as they call nothing of the user's, do no more than bind names."""
    return all(map(_only_defines, statements))


def _only_defines(node: ir.Statement) -> bool:
    if isinstance(node, ir.ClassDef):
        return only_defines(node.body)
    if isinstance(node, ir.Assign):
        return all(isinstance(target, ir.Name) for target in node.targets)
    if isinstance(node, ir.Annotate):
        return isinstance(node.target, ir.Name)
    return isinstance(node, (ir.FunctionDef, ir.Import, ir.ImportFrom)) or (
        isinstance(node, ir.Jump) and node.kind == "pass"
    )
