"""Look up names of a module whose functions are judged on their own: the unit that binds a name is executed when it is
asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import add, sub

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.machine.machine import NOTHING_DONE, Machine, Steps
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.python import imports, registrations
from inplace_lsp.interpret.python.bindings import (
    find_binding_units,
    find_bound_names,
    find_names_of_unit,
    find_star_imports,
)
from inplace_lsp.interpret.python.filler_reads import find_fillers
from inplace_lsp.interpret.python.memoized_units import Effects, MemoizedUnit, only_defines
from inplace_lsp.interpret.state.paths import Decision
from inplace_lsp.interpret.state.values import Frame, Instance, Items, Mapping, Value
from inplace_lsp.source.units import Unit

OFTEN = 3
"""How many times a memoized unit is executed again, because something it uses has changed, before it is no longer
memoized."""


class ModuleNames:
    """Look up the names of a module that is not executed from top to bottom.

    `_memoized` are the units that only defined names and filled tables: they are executed once for all paths.
    `_asked_below` are the names that units looked up while the current one needed them; None if no unit is executed.
    `_current` is the unit that is executed or bound again. `unfilled` are the tables that no code has read so far: a
    table is filled when it is read, and a unit that only adds an entry does not need the entries of others.
    """

    def __init__(self, machine: Machine, frame: Frame, units: Sequence[Unit]) -> None:
        self._machine = machine
        self._frame = frame
        self._binding = find_binding_units(tuple(units))
        self._fillers = find_fillers(tuple(units))
        self._memoized: dict[int, MemoizedUnit] = {}
        self._memoized_in_vain: Counter[int] = Counter()
        self._asked_below: set[str] | None = None
        self._current: Unit | None = None
        self.running: set[int] = set()
        self.unfilled: dict[str, Value] = {}
        imports.add_star_imports(machine, frame, find_star_imports(tuple(units)))

    def __call__(self, name: str) -> Value | None:
        """Return the value of `name`, None if no unit binds it."""
        unit = self._find_unit(name)
        if unit is not None:
            self._run_needed_units((unit,))
        if name in self.unfilled:
            self._open_table(name)
        elif unit is None:
            return None
        return self._frame.names.get(name)

    def forget_units(self) -> None:
        """Forget that any unit was executed."""
        self.running.clear()
        self.unfilled.clear()

    def _find_unit(self, name: str) -> Unit | None:
        """Return the unit to run for `name`, None if there is none."""
        if name in self.unfilled:
            return None
        for unit in reversed(self._binding.get(name, ())):  # asked at every start of a path, for each name
            if self._is_new(unit) and unit.statements:
                return unit
        return None

    def _run_needed_units(self, units: Sequence[Unit]) -> None:
        """Run units that a path or another unit needs."""
        if self._asked_below is None:
            self._run_units(units)
        else:
            self._run_below(units, self._asked_below)

    def _run_units(self, units: Sequence[Unit]) -> None:
        """Run units, each after those that it needs, without recursion: a class after its bases, however many."""
        waiting = [(unit, self._start_unit(unit)) for unit in reversed(units)]
        while waiting:
            unit, needed = waiting[-1]
            first = next(needed, None)
            if first is not None:
                waiting.append((first, self._start_unit(first)))
                continue
            waiting.pop()
            self._run_ready_unit(unit)
            if type(unit) is Unit:  # more than a definition
                registrations.note_tables(self._machine, self._frame, find_bound_names(unit.statements))
            for name in find_names_of_unit(unit):
                if any(map(self._is_new, self._fillers.of_table(name))) and self._is_table(name):
                    self.unfilled[name] = self._frame.names.pop(name)

    def _run_ready_unit(self, unit: Unit) -> None:
        """Run a unit whose needs are met: bind its names again if they are memoized, or execute it."""
        outer, self._current = self._current, unit
        self._hide_unfilled_tables()
        try:
            kept = self._memoized.get(id(unit))
            if kept is not None and kept.replay_bindings(self._machine, self._frame):
                return
            if kept is not None:
                self._memoized_in_vain[id(unit)] += 1
            self._execute_unit(unit)
        finally:
            self._current = outer
            self._hide_unfilled_tables()

    def _open_table(self, name: str) -> None:
        """Bind a table that was not filled so far. Fill it, unless the current unit only puts entries into it."""
        self._frame.names[name] = self.unfilled[name]
        if self._current is None or not self._fillers.only_puts(self._current, name):
            del self.unfilled[name]
            self._run_needed_units(list(filter(self._is_new, self._fillers.of_table(name))))

    def _hide_unfilled_tables(self) -> None:
        """Take the tables that are not filled out of sight: who looks one up next may read it."""
        names = self._frame.names
        for name in [name for name in self.unfilled if name in names]:
            table = names.pop(name)
            if table is not self.unfilled[name]:  # the name was bound to something else
                names[name] = table
                del self.unfilled[name]

    def _is_new(self, unit: Unit) -> bool:
        """Return whether a unit was not executed yet."""
        return id(unit) not in self.running

    def _is_table(self, name: str) -> bool:
        """Return whether a name is bound to a container or a plain object: a registry."""
        value = self._frame.names.get(name)
        return isinstance(value, (Items, Mapping)) or (isinstance(value, Instance) and value.base is None)

    def _start_unit(self, unit: Unit) -> Iterator[Unit]:
        """Mark a unit as running, and return the units that are known to be needed first."""
        self.running.add(id(unit))
        kept = self._memoized.get(id(unit))
        return self._find_missing_units(kept.needs) if kept is not None and kept.needs else iter(())

    def _find_missing_units(self, needs: Iterable[str]) -> Iterator[Unit]:
        """Yield the units that bind names which are still missing when they are reached."""
        names = self._frame.names
        for name in needs:
            unit = self._find_unit(name) if name not in names else None
            if unit is not None:
                yield unit

    def _run_below(self, units: Sequence[Unit], asked_below: set[str]) -> None:
        """Execute units for another one, which depends on their names alone, not on those that they look up."""
        asked = self._frame.asked
        of_outer = set(asked)
        self._run_units(units)
        asked_below |= asked
        asked.intersection_update(of_outer)

    def _execute_unit(self, unit: Unit) -> None:
        machine, frame = self._machine, self._frame
        recorder = machine.recorder
        saved = (recorder.site, recorder.route, recorder.grad_mode, recorder.inference_mode, machine.stack)
        called, looked_into, outer = machine.called, machine.looked_into, machine.tally_below
        machine.called, machine.looked_into, machine.tally_below = set(), set(), NOTHING_DONE
        before = _StateBefore(machine, frame, self.running - {id(unit)})
        frame.asked.clear()  # the unit depends on the names that its callees look up
        below, self._asked_below = self._asked_below, set()
        recorder.grad_mode, recorder.inference_mode, machine.stack = True, False, []
        scope = Frame(
            frame.file,
            unit.row,
            names=frame.names,
            starred=frame.starred,
            asked=frame.asked,
            other_module=frame.other_module,
            third_party=frame.third_party,
            model=frame.model,
        )
        scope.find_global = frame.find_global or self
        try:
            machine.execute(unit.statements, scope)
        except (Return, Break, Continue, Raised, TorchError):
            pass
        else:
            self._memoize_unit(unit, before)
        finally:
            before.elsewhere.end_watch()
            recorder.site, recorder.route, recorder.grad_mode, recorder.inference_mode, machine.stack = saved
            machine.tally_below = tuple(map(add, outer, map(sub, machine.count_effects(), before.tally)))
            machine.called |= called
            machine.looked_into |= looked_into
            frame.asked |= before.asked | self._asked_below
            self._asked_below = below

    def _memoize_unit(self, unit: Unit, before: _StateBefore) -> None:
        """Memoize `unit` if it only defined names."""
        if self._memoized_in_vain[id(unit)] >= OFTEN:
            self._memoized.pop(id(unit), None)
            return
        done = before.find_effects(self._machine) if only_defines(unit.statements) else None
        if done is None or self._stored_since(before) or self._reads_own_names(unit) or self._fills_table(unit):
            return
        asked_elsewhere = before.elsewhere.find_lookups() if done.called else ()
        asked = set(self._frame.asked)
        needs = [name for name in asked if name in self._binding]
        kept = MemoizedUnit.memoize_unit(unit.statements, self._frame, asked, needs, asked_elsewhere, done)
        if kept is not None:
            self._memoized[id(unit)] = kept

    def _reads_own_names(self, unit: Unit) -> bool:
        """Return whether a unit reads a name that it binds, as in `x = x or 1`: the value bound before is lost."""
        return not self._find_asked_names().isdisjoint(find_bound_names(unit.statements))

    def _fills_table(self, unit: Unit) -> bool:
        """Return whether a unit puts something into a table, which is another one on another path."""
        return any(map(self._is_table, self._find_asked_names() & self._fillers.tables_of(unit)))

    def _find_asked_names(self) -> set[str]:
        """Return the names that the unit being executed, and the units it needed, asked for."""
        return self._frame.asked | (self._asked_below or set())

    def _stored_since(self, before: _StateBefore) -> bool:
        """Return whether a name changed since, without a unit executed for it and without having been read."""
        ran = self.running - before.running
        asked = self._find_asked_names()
        return any(
            name not in asked and not any(id(unit) in ran for unit in self._binding.get(name, ()))
            for name in before.find_changed_names(self._frame)
        )


class _OtherModulesWatch:
    """Record the names that are looked up in other modules, until `end_watch`."""

    def __init__(self, machine: Machine, own: Frame) -> None:
        self._modules = machine.modules
        self._own = own
        self._asked_before = [(frame, frame.asked) for frame in machine.modules.values() if frame is not own]
        for frame, _ in self._asked_before:
            frame.asked = set()

    def find_lookups(self) -> Sequence[tuple[Frame, str]]:
        """Return each name with the scope of its module; models are left out, for they do not change."""
        others = [frame for frame in self._modules.values() if frame is not self._own and frame.model is None]
        return [(frame, name) for frame in others for name in frame.asked]

    def end_watch(self) -> None:
        """Restore the names that every module was asked for, with the new ones added."""
        for frame, asked in self._asked_before:
            asked |= frame.asked
            frame.asked = asked


class _StateBefore:
    """The state of the machine and of a module's names before a unit is executed."""

    def __init__(self, machine: Machine, frame: Frame, running: set[int]) -> None:
        self.tally = machine.count_effects()
        self.running = running
        self.asked = set(frame.asked)
        self.elsewhere = _OtherModulesWatch(machine, frame)
        self._names = dict(frame.names)
        self._taken, self._untaken = len(machine.path.taken), len(machine.untaken)

    def find_changed_names(self, frame: Frame) -> set[str]:
        """Return the names that have another value now."""
        return {name for name, value in frame.names.items() if self._names.get(name) is not value}

    def find_effects(self, machine: Machine) -> Effects | None:
        """Return the effects since; None if the unit did more than define names and call what fills tables."""
        since = list(map(sub, machine.count_effects(), self.tally))
        done = list(map(sub, since, machine.tally_below))
        steps, (events, taken, untaken, called, looked_into, unknowns, changes, evidence) = Steps(*done[:3]), done[3:]
        if events or unknowns or evidence:
            return None
        if not any((taken, untaken, called, looked_into, changes)):
            return Effects(steps)
        if min(machine.other_module_steps, machine.library_steps) < 0 or [taken, untaken] != since[4:6]:
            return None
        decisions = self._find_decisions(machine)
        if decisions is None:
            return None
        called_functions, looked = frozenset(machine.called), frozenset(machine.looked_into)
        skipped = tuple(untaken.without_earlier(self._taken) for untaken in machine.untaken[self._untaken :])
        return Effects(steps, called_functions, looked, self._taken, decisions, skipped)

    def _find_decisions(self, machine: Machine) -> tuple[tuple[Decision, int], ...] | None:
        """Return the decisions since, None if one is not for the first option: most paths take that."""
        path = machine.path
        made = path.taken[self._taken :]
        if machine.choices is not path or any(option for option, _ in made):
            return None
        return tuple(zip(path.decisions[self._taken :], (options for _, options in made), strict=True))
