"""The names of a module whose functions are judged on their own: what binds a name is executed when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.machine.machine import NOTHING_DONE, Machine
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.python import imports
from inplace_lsp.interpret.python.bindings import bindings, stars
from inplace_lsp.interpret.python.kept import Done, Kept, only_defines
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Value
from inplace_lsp.source.units import Unit


class Globals:
    """Answers for the names of a module that is not executed from top to bottom.

    `kept` are the units that did nothing but define names and fill tables: they are executed once for all paths.
    """

    def __init__(self, machine: Machine, frame: Frame, units: Sequence[Unit]) -> None:
        self._machine = machine
        self._frame = frame
        self._binding = bindings(tuple(units))
        self._kept: dict[int, Kept] = {}
        self.running: set[int] = set()
        imports.stars(machine, frame, stars(tuple(units)))

    def __call__(self, name: str) -> Value | None:
        """The value of `name`, None if no unit binds it."""
        for unit in reversed(self._binding.get(name, ())):
            key = id(unit)
            if key not in self.running and unit.statements:
                self.running.add(key)
                kept = self._kept.get(key)
                if kept is None or not kept.repeat(self._machine, self._frame):
                    self._execute(unit)
                return self._frame.names.get(name)
        return None

    def forget(self) -> None:
        """As if nothing had been executed yet."""
        self.running.clear()

    def _execute(self, unit: Unit) -> None:
        machine, frame = self._machine, self._frame
        recorder = machine.recorder
        saved = (recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack)
        called, looked_into, outer = machine.called, machine.looked_into, machine.tally_below
        machine.called, machine.looked_into, machine.tally_below = set(), set(), NOTHING_DONE
        before = _Before(machine, frame, self.running - {id(unit)})
        frame.asked.clear()  # what the functions ask for that it calls, it depends on
        recorder.grad_mode, recorder.inference_mode, machine.stack = True, False, []
        scope = Frame(
            frame.file,
            unit.row,
            names=frame.names,
            starred=frame.starred,
            asked=frame.asked,
            abroad=frame.abroad,
            foreign=frame.foreign,
            model=frame.model,
        )
        scope.find_global = frame.find_global or self
        try:
            machine.execute(unit.statements, scope)
        except (Return, Break, Continue, Raised, TorchError):
            pass
        else:
            self._keep(unit, before)
        finally:
            recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack = saved
            machine.tally_below = tuple(map(add, outer, map(sub, machine.tally(), before.tally)))
            machine.called |= called
            machine.looked_into |= looked_into
            frame.asked |= before.asked

    def _keep(self, unit: Unit, before: _Before) -> None:
        """Keep what `unit` defined, if it did nothing else."""
        done = before.done_since(self._machine, self._frame) if only_defines(unit.statements) else None
        if done is not None and not self._stored_since(before):
            kept = Kept.of(unit.statements, self._frame, set(self._frame.asked), done)
            if kept is not None:
                self._kept[id(unit)] = kept

    def _stored_since(self, before: _Before) -> bool:
        """Whether a name has another value since, for which no unit was executed nor the value before was asked for."""
        ran = self.running - before.running
        asked = self._frame.asked
        return any(
            name not in asked and not any(id(unit) in ran for unit in self._binding.get(name, ()))
            for name in before.changed(self._frame)
        )


class _Before:
    """What a machine had done, and a module's names were, before a unit was executed."""

    def __init__(self, machine: Machine, frame: Frame, running: set[int]) -> None:
        self.tally = machine.tally()
        self.running = running
        self.asked = set(frame.asked)
        self._names = dict(frame.names)
        self._taken, self._untaken = len(machine.path.taken), len(machine.untaken)

    def changed(self, frame: Frame) -> set[str]:
        """Return the names that have another value now."""
        return {name for name, value in frame.names.items() if self._names.get(name) is not value}

    def done_since(self, machine: Machine, frame: Frame) -> Done | None:
        """Return what was done since; None if it was more than to define names and to call what fills tables."""
        since = list(map(sub, machine.tally(), self.tally))
        steps, abroad, events, taken, untaken, called, looked_into, unknowns, changes, evidence = map(
            sub, since, machine.tally_below
        )
        if events or unknowns or evidence:
            return None
        if not (taken or untaken or called or looked_into or changes):
            return Done(steps, abroad)
        path = machine.path
        of_others = called if frame.abroad else abroad  # what else those depend on is not known here
        if of_others or machine.abroad < 0 or machine.choices is not path or [taken, untaken] != since[3:5]:
            return None
        made = path.taken[self._taken :]
        if any(option for option, _ in made):  # most paths take the first option
            return None
        return Done(
            steps,
            abroad,
            frozenset(machine.called),
            frozenset(machine.looked_into),
            self._taken,
            tuple(zip(path.decisions[self._taken :], (options for _, options in made), strict=True)),
            tuple(machine.untaken[self._untaken :]),
        )
