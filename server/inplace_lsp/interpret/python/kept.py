"""What a unit that only defines has bound: functions, classes, imports and constants that every path finds the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter, is_

from inplace_lsp.interpret.machine.machine import LookedInto, Machine, Untaken
from inplace_lsp.interpret.python.bindings import bound
from inplace_lsp.interpret.python.standard_library import FIELD
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.paths import Decision
from inplace_lsp.interpret.state.snapshot import ATOMS, DATA, Snapshot, same_entries
from inplace_lsp.interpret.state.values import (
    Class,
    Function,
    Imported,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Native,
    Number,
    Unknown,
    Value,
)
from inplace_lsp.source import ir

_CHANGEABLE = attrgetter("kind", "modes", "results", "dispatch")


@dataclass(frozen=True, slots=True)
class Done:
    """What executing a unit came to, but for the names that it bound: steps, and statements of other files among them;
    the definitions that it called and looked into; the decisions, all for the first of so many options; what it left
    out. `first`: how many decisions were made before."""

    steps: int
    abroad: int
    called: frozenset[int] = frozenset()
    looked_into: frozenset[LookedInto] = frozenset()
    first: int = 0
    decisions: tuple[tuple[Decision, int], ...] = ()
    untaken: tuple[Untaken, ...] = ()

    def repeat(self, machine: Machine) -> bool:
        """Let the machine be as if it had been done again; return whether this path would do the same."""
        if self.decisions or self.untaken:
            path = machine.path
            later = len(path.taken) - self.first
            if machine.choices is not path or not path.repeat(self.decisions):
                return False
            machine.untaken.extend(one.later(later) for one in self.untaken)
        machine.called |= self.called
        machine.looked_into |= self.looked_into
        machine.spend(self.steps, self.abroad, len(self.decisions), len(self.untaken))
        return True


@dataclass(frozen=True, slots=True)
class Kept:
    """The names a unit bound, and what it takes to bind them again without executing it.

    `asked` are the names of the module that it looked up, `seen` what they were (None: no unit binds them);
    `seen_elsewhere` what the functions that it called looked up in other modules, `seen_data` what was in all of them.
    A path can change `functions` and `classes`: `states` and `members` are what they
    were; `data` puts back the rest.
    """

    binds: dict[str, Value]
    asked: frozenset[str]
    seen: tuple[tuple[str, Value | None], ...]
    seen_elsewhere: tuple[tuple[Frame, str, Value | None], ...]
    seen_data: Snapshot | None
    done: Done
    functions: tuple[Function, ...]
    states: tuple[object, ...]
    members: tuple[tuple[Class, dict[str, Value]], ...]
    data: Snapshot | None

    @classmethod
    def of(
        cls,
        statements: Sequence[ir.Statement],
        frame: Frame,
        asked: Collection[str],
        asked_elsewhere: Sequence[tuple[Frame, str]],
        done: Done,
    ) -> Kept | None:
        """What `statements`, which were executed in the module of `frame`, bound; None if a path may need its own."""
        names = frame.names
        binds = {name: names[name] for name in bound(statements) if name in names}
        seen = tuple((name, names.get(name)) for name in asked)
        seen_elsewhere = tuple((other, name, other.names.get(name)) for other, name in asked_elsewhere)
        looked_up = chain((value for _, value in seen), (value for _, _, value in seen_elsewhere))
        known = [value for value in looked_up if value is not None]
        data, seen_data = _find_data(binds.values()), _find_data(known)
        if data is None or seen_data is None:
            return None
        owned = [*binds.values(), *known] if done.called else [*binds.values()]
        classes = [one for value in owned for one in _classes(value)]
        owners = chain(owned, *(one.members.values() for one in classes))
        functions = tuple(one for one in owners if isinstance(one, Function))
        members = tuple((one, dict(one.members)) for one in classes)
        return cls(
            binds,
            frozenset(asked),
            seen,
            seen_elsewhere,
            Snapshot(seen_data, DATA) if seen_data else None,
            done,
            functions,
            _states(functions),
            members,
            Snapshot(data, DATA) if data else None,
        )

    def repeat(self, machine: Machine, frame: Frame) -> bool:
        """Bind the names again; False where executing the unit now would bind others."""
        if not self._holds(machine, frame) or not self.done.repeat(machine):
            return False
        if self.data is not None:
            self.data.restore()
        frame.names.update(self.binds)
        return True

    def _holds(self, machine: Machine, frame: Frame) -> bool:
        """Whether nothing that the unit looks up is another now, and nothing was changed."""
        if not (self.seen or self.functions or self.members):
            return True
        for name, value in self.seen:
            if not _is_bound_to(frame, name, value):
                return False
        frame.asked.update(self.asked)
        for other, name, value in self.seen_elsewhere:
            if machine.modules.get(other.file) is not other or not _is_bound_to(other, name, value):
                return False
        if self.seen_data is not None and not self.seen_data.is_unchanged():
            return False
        return all(map(is_, _states(self.functions), self.states)) and all(
            same_entries(one.members, then) for one, then in self.members
        )


def _is_bound_to(frame: Frame, name: str, value: Value | None) -> bool:
    """Whether `name` is bound to the very `value` in a module; None: nothing binds it."""
    now = frame.names.get(name)
    if now is None or type(now) is Imported:
        now = frame.lookup(name)
    return now is value or (type(now) is Library and now == value)


def _states(functions: Iterable[Function]) -> tuple[object, ...]:
    return tuple(chain.from_iterable(map(_CHANGEABLE, functions)))


def _is_constant(value: Value) -> bool:
    """Whether no path changes the value but in a way that `holds` notices."""
    if isinstance(value, Function):
        return value.results is None and value.dispatch is None and all(map(_is_constant, value.defaults.values()))
    if isinstance(value, Class):
        return all(_is_constant(one) for name, one in value.members.items() if name != "__annotated__")
    if isinstance(value, Items):
        return value.kind == "tuple" and not value.open and all(map(_is_constant, value.items))
    return isinstance(value, (Known, Library, Imported)) or (isinstance(value, Native) and value.name == FIELD)


def _find_data(values: Iterable[Value]) -> Sequence[object] | None:
    """Return those of the values that are no constants, and the variables that functions among them close over; None
    if there is anything in them but constants, containers, plain objects and classes."""
    waiting = [value for value in values if not _is_constant(value)]
    found: list[object] = [*waiting]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Items) and value.more is None:
            waiting.extend(() if ATOMS.issuperset(map(type, value.items)) else value.items)
        elif isinstance(value, Mapping) and (value.default is None or isinstance(value.default, Library)):
            waiting.extend(value.items.values())
        elif isinstance(value, Instance) and value.base is None:
            waiting.extend(value.attributes.values())
        elif isinstance(value, Unknown) and not value.inputs and value.tensor is None and value.module is None:
            waiting.extend((*value.attributes.values(), *value.elements.values()))
        elif isinstance(value, Function) and _is_constant(value):
            scope: Frame | None = value.frame
            while scope is not None and scope.module is not None:
                found.append(scope.names)
                waiting.extend(scope.names.values())
                scope = scope.parent
        elif isinstance(value, Class):
            found.append(value.members)
            waiting.extend(member for name, member in value.members.items() if name != "__annotated__")
        elif isinstance(value, Number):
            waiting.extend([value.negates] if value.negates is not None else [])
        elif not _is_constant(value):
            return None
    return found


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
