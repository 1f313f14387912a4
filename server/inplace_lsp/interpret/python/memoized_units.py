"""Memoize units that only define: functions, classes, imports and constants that are the same on every path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter, is_

from inplace_lsp.interpret.machine.machine import LookedInto, Machine, Steps, Untaken
from inplace_lsp.interpret.python.bindings import find_bound_names
from inplace_lsp.interpret.python.standard_library import FIELD
from inplace_lsp.interpret.state.paths import Decision
from inplace_lsp.interpret.state.snapshot import ATOMS, DATA, Snapshot, same_entries
from inplace_lsp.interpret.state.values import (
    Class,
    Frame,
    Function,
    Imported,
    Instance,
    Items,
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
class Effects:
    """What executing a unit did besides binding names: steps; definitions it called and looked into; decisions, all for
    the first option; code it skipped. `first`: how many decisions were made before."""

    steps: Steps
    called: frozenset[int] = frozenset()
    looked_into: frozenset[LookedInto] = frozenset()
    first: int = 0
    decisions: tuple[tuple[Decision, int], ...] = ()
    untaken: tuple[Untaken, ...] = ()

    def replay_effects(self, machine: Machine) -> bool:
        """Apply the effects to the machine again. Return whether this path would have the same ones."""
        if self.decisions or self.untaken:
            path = machine.path
            later = len(path.taken) - self.first
            if machine.choices is not path or not path.replay_decisions(self.decisions):
                return False
            machine.untaken.extend(untaken.shift_decisions(later) for untaken in self.untaken)
        machine.called |= self.called
        machine.looked_into |= self.looked_into
        machine.count_replay(self.steps, len(self.decisions), len(self.untaken))
        return True


@dataclass(frozen=True, slots=True)
class MemoizedUnit:
    """The names that a unit bound, and what is needed to bind them again without executing it."""

    binds: dict[str, Value]
    asked: frozenset[str]
    """The module-level names that it looked up."""
    needs: frozenset[str]
    """Those of them that units bind."""
    seen: tuple[tuple[str, Value | None], ...]
    """Their values; None for a name that nothing binds."""
    seen_elsewhere: tuple[tuple[Frame, str, Value | None], ...]
    """The names that its callees looked up in other modules, with their values."""
    seen_data: Snapshot | None
    """The contents of all these values."""
    done: Effects
    functions: tuple[Function, ...]
    """The functions that a path may change."""
    states: tuple[object, ...]
    """The original states of the functions."""
    members: tuple[tuple[Class, dict[str, Value]], ...]
    """The classes that a path may change, with their original members."""
    data: Snapshot | None
    """Restores everything else."""

    @classmethod
    def memoize_unit(
        cls,
        statements: Sequence[ir.Statement],
        frame: Frame,
        asked: Collection[str],
        needs: Collection[str],
        asked_elsewhere: Sequence[tuple[Frame, str]],
        done: Effects,
    ) -> MemoizedUnit | None:
        """Return the memoized bindings of `statements`, executed in the module of `frame`; None if a path may need its
        own."""
        names = frame.names
        binds = {name: names[name] for name in find_bound_names(statements) if name in names}
        seen = tuple((name, names.get(name)) for name in asked)
        seen_elsewhere = tuple((other, name, other.names.get(name)) for other, name in asked_elsewhere)
        looked_up = chain((value for _, value in seen), (value for _, _, value in seen_elsewhere))
        known = [value for value in looked_up if value is not None]
        data, seen_data = _find_data(binds.values()), _find_data(known)
        if data is None or seen_data is None:
            return None
        owned = [*binds.values(), *known] if done.called else [*binds.values()]
        classes = [known_class for value in owned for known_class in _find_classes(value)]
        owners = chain(owned, *(known_class.members.values() for known_class in classes))
        functions = tuple(owner for owner in owners if isinstance(owner, Function))
        members = tuple((known_class, dict(known_class.members)) for known_class in classes)
        return cls(
            binds,
            frozenset(asked),
            frozenset(needs),
            seen,
            seen_elsewhere,
            Snapshot(seen_data, DATA) if seen_data else None,
            done,
            functions,
            _read_states(functions),
            members,
            Snapshot(data, DATA) if data else None,
        )

    def replay_bindings(self, machine: Machine, frame: Frame) -> bool:
        """Bind the names again. Return False if executing the unit now would bind others."""
        if not self._is_valid(machine, frame) or not self.done.replay_effects(machine):
            return False
        if self.data is not None:
            self.data.restore()
        frame.names.update(self.binds)
        return True

    def _is_valid(self, machine: Machine, frame: Frame) -> bool:
        """Return whether all names that the unit looks up have the same, unchanged values."""
        if not (self.seen or self.functions or self.members):
            return True
        if not self._binds_the_same(frame):
            return False
        frame.asked.update(self.asked)
        for other, name, value in self.seen_elsewhere:
            if machine.modules.get(other.file) is not other or not _is_bound_to(other, name, value):
                return False
        return self._is_unchanged()

    def _is_unchanged(self) -> bool:
        """Return whether the values, functions and classes are as they were."""
        if self.seen_data is not None and not self.seen_data.is_unchanged():
            return False
        return all(map(is_, _read_states(self.functions), self.states)) and all(
            same_entries(known_class.members, then) for known_class, then in self.members
        )

    def _binds_the_same(self, frame: Frame) -> bool:
        """Return whether the names that the unit looks up in its module are bound to the same values."""
        for name, value in self.seen:
            if value is None and name not in self.needs and not frame.starred:  # a builtin, unless somebody binds it
                if name in frame.names:
                    return False
            elif not _is_bound_to(frame, name, value):
                return False
        return True


def _is_bound_to(frame: Frame, name: str, value: Value | None) -> bool:
    """Return whether `name` is bound to the very `value` in a module; None: nothing binds it."""
    now = frame.names.get(name)
    if now is None or type(now) is Imported:
        now = frame.look_up(name)
    return now is value or (type(now) is Library and now == value)


def _read_states(functions: Iterable[Function]) -> tuple[object, ...]:
    return tuple(chain.from_iterable(map(_CHANGEABLE, functions)))


def _is_constant(value: Value) -> bool:
    """Return whether a path can change the value only in ways that `_is_valid` notices."""
    if type(value) in ATOMS:  # most
        return True
    if isinstance(value, Function):
        return value.results is None and value.dispatch is None and all(map(_is_constant, value.defaults.values()))
    if isinstance(value, Class):
        return all(_is_constant(member) for name, member in value.members.items() if name != "__annotated__")
    if isinstance(value, Items):
        return value.kind == "tuple" and not value.open and all(map(_is_constant, value.items))
    return isinstance(value, Native) and value.name == FIELD


def _find_data(values: Iterable[Value]) -> Sequence[object] | None:
    """Return the mutable values among `values`, and the variables that functions among them close over; None if they
    contain anything but constants, containers, plain objects and classes."""
    waiting = [value for value in values if not _is_constant(value) or _closes_over(value)]
    found: list[object] = [*waiting]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Function) and _is_constant(value):
            for names in _find_closures(value):
                found.append(names)
                waiting.extend(names.values())
            continue
        if isinstance(value, Class):
            found.append(value.members)
        parts = _find_parts(value)
        if parts is not None:
            waiting.extend(parts)
        elif not _is_constant(value):
            return None
    return found


def _closes_over(value: Value) -> bool:
    """Return whether the value is a function with variables of another function."""
    return isinstance(value, Function) and value.frame.module is not None and value.frame.function != "<class>"


def _find_closures(function: Function) -> Iterator[dict[str, Value]]:
    """Yield the scopes that a function closes over, without the module's."""
    scope: Frame | None = function.frame
    while scope is not None and scope.module is not None:
        yield scope.names
        scope = scope.parent


def _find_parts(value: Value) -> Iterable[Value] | None:
    """Return the values in a container, a plain object or a class; None for any other value."""
    if isinstance(value, Items) and value.more is None:
        return () if ATOMS.issuperset(map(type, value.items)) else value.items
    if isinstance(value, Mapping) and (value.default is None or isinstance(value.default, Library)):
        return value.items.values()
    if isinstance(value, Instance) and value.base is None:
        return value.attributes.values()
    if isinstance(value, Unknown) and not value.inputs and value.tensor is None and value.module is None:
        return (*value.attributes.values(), *value.elements.values())
    if isinstance(value, Class):
        return [member for name, member in value.members.items() if name != "__annotated__"]
    if isinstance(value, Number):
        return [part for part in (value.negates, value.about) if part is not None]
    return None


def _find_classes(value: Value) -> list[Class]:
    """Return the class that `value` is, and those nested in it."""
    if not isinstance(value, Class):
        return []
    return [value, *(nested for member in value.members.values() for nested in _find_classes(member))]


def only_defines(statements: Iterable[ir.Statement]) -> bool:
    """Return whether the statements, apart from calls of the user's code, only bind names."""
    return all(map(_is_definition, statements))


def _is_definition(node: ir.Statement) -> bool:
    if isinstance(node, ir.ClassDef):
        return only_defines(node.body)
    if isinstance(node, ir.Assign):
        return all(isinstance(target, ir.Name) for target in node.targets)
    if isinstance(node, ir.Annotate):
        return isinstance(node.target, ir.Name)
    return isinstance(node, (ir.FunctionDef, ir.Import, ir.ImportFrom)) or (
        isinstance(node, ir.Jump) and node.kind == "pass"
    )
