"""The names of a module whose functions are judged on their own: what binds a name is executed when it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import add, sub

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.machine.machine import NOTHING_DONE, Machine
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.python import imports
from inplace_lsp.interpret.python.bindings import bindings, bound, stars
from inplace_lsp.interpret.python.kept import Done, Kept, only_defines
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Value
from inplace_lsp.source.units import Unit

OFTEN = 3
"""How often a unit is executed again since something else had changed before what it bound is no longer kept."""


class Globals:
    """Answers for the names of a module that is not executed from top to bottom.

    `kept` are the units that did nothing but define names and fill tables: they are executed once for all paths.
    `asked_below`: the names that were asked for by the units which the one being executed needed; None if none is.
    """

    def __init__(self, machine: Machine, frame: Frame, units: Sequence[Unit]) -> None:
        self._machine = machine
        self._frame = frame
        self._binding = bindings(tuple(units))
        self._kept: dict[int, Kept] = {}
        self._kept_in_vain: Counter[int] = Counter()
        self._asked_below: set[str] | None = None
        self.running: set[int] = set()
        imports.stars(machine, frame, stars(tuple(units)))

    def __call__(self, name: str) -> Value | None:
        """The value of `name`, None if no unit binds it."""
        unit = self._find(name)
        if unit is None:
            return None
        if self._asked_below is None:
            self._run(unit)
        else:
            self._run_below(unit, self._asked_below)
        return self._frame.names.get(name)

    def forget(self) -> None:
        """As if nothing had been executed yet."""
        self.running.clear()

    def _find(self, name: str) -> Unit | None:
        """Return the unit that is to be run for `name`, if one is."""
        units = reversed(self._binding.get(name, ()))
        return next((one for one in units if id(one) not in self.running and one.statements), None)

    def _run(self, unit: Unit) -> None:
        """Run a unit after those that it needs: a class after its bases, however many there are one upon the other."""
        waiting = [(unit, self._start(unit))]
        while waiting:
            unit, needed = waiting[-1]
            first = next(needed, None)
            if first is not None:
                waiting.append((first, self._start(first)))
                continue
            waiting.pop()
            kept = self._kept.get(id(unit))
            if kept is not None and kept.repeat(self._machine, self._frame):
                continue
            if kept is not None:
                self._kept_in_vain[id(unit)] += 1
            self._execute(unit)

    def _start(self, unit: Unit) -> Iterator[Unit]:
        """Take note that a unit is run now, and return those that are to be run before, as far as they are known."""
        self.running.add(id(unit))
        kept = self._kept.get(id(unit))
        missing = (self._find(name) for name, _ in (kept.seen if kept else ()) if name not in self._frame.names)
        return (one for one in missing if one is not None)

    def _run_below(self, unit: Unit, asked_below: set[str]) -> None:
        """Execute a unit for another one, which depends on its names alone, not on those that it asks for itself."""
        asked = self._frame.asked
        of_outer = set(asked)
        self._run(unit)
        asked_below |= asked
        asked.intersection_update(of_outer)

    def _execute(self, unit: Unit) -> None:
        machine, frame = self._machine, self._frame
        recorder = machine.recorder
        saved = (recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack)
        called, looked_into, outer = machine.called, machine.looked_into, machine.tally_below
        machine.called, machine.looked_into, machine.tally_below = set(), set(), NOTHING_DONE
        before = _Before(machine, frame, self.running - {id(unit)})
        frame.asked.clear()  # what the functions ask for that it calls, it depends on
        below, self._asked_below = self._asked_below, set()
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
            before.elsewhere.end()
            recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack = saved
            machine.tally_below = tuple(map(add, outer, map(sub, machine.tally(), before.tally)))
            machine.called |= called
            machine.looked_into |= looked_into
            frame.asked |= before.asked | self._asked_below
            self._asked_below = below

    def _keep(self, unit: Unit, before: _Before) -> None:
        """Keep what `unit` defined, if it did nothing else."""
        if self._kept_in_vain[id(unit)] >= OFTEN:
            self._kept.pop(id(unit), None)
            return
        done = before.done_since(self._machine) if only_defines(unit.statements) else None
        if done is None or self._stored_since(before) or self._asks_for_its_own(unit):
            return
        asked_elsewhere = before.elsewhere.find_asked() if done.called else ()
        kept = Kept.of(unit.statements, self._frame, set(self._frame.asked), asked_elsewhere, done)
        if kept is not None:
            self._kept[id(unit)] = kept

    def _asks_for_its_own(self, unit: Unit) -> bool:
        """Whether a unit asks for a name that it binds, as in `x = x or 1`: what another one bound before is lost."""
        return not self._asked().isdisjoint(bound(unit.statements))

    def _asked(self) -> set[str]:
        """Return the names that the unit being executed asked for, and those that the units it needed asked for."""
        return self._frame.asked | (self._asked_below or set())

    def _stored_since(self, before: _Before) -> bool:
        """Whether a name has another value since, for which no unit was executed nor the value before was asked for."""
        ran = self.running - before.running
        asked = self._asked()
        return any(
            name not in asked and not any(id(unit) in ran for unit in self._binding.get(name, ()))
            for name in before.changed(self._frame)
        )


class _Elsewhere:
    """The names that are asked for in other modules from now on until `end`."""

    def __init__(self, machine: Machine, own: Frame) -> None:
        self._modules = machine.modules
        self._own = own
        self._asked_before = [(frame, frame.asked) for frame in machine.modules.values() if frame is not own]
        for frame, _ in self._asked_before:
            frame.asked = set()

    def find_asked(self) -> Sequence[tuple[Frame, str]]:
        """Return each name with the scope of its module; those of models stay as they are."""
        others = [frame for frame in self._modules.values() if frame is not self._own and frame.model is None]
        return [(frame, name) for frame in others for name in frame.asked]

    def end(self) -> None:
        """Let every module know all names that it was asked for."""
        for frame, asked in self._asked_before:
            asked |= frame.asked
            frame.asked = asked


class _Before:
    """What a machine had done, and a module's names were, before a unit was executed."""

    def __init__(self, machine: Machine, frame: Frame, running: set[int]) -> None:
        self.tally = machine.tally()
        self.running = running
        self.asked = set(frame.asked)
        self.elsewhere = _Elsewhere(machine, frame)
        self._names = dict(frame.names)
        self._taken, self._untaken = len(machine.path.taken), len(machine.untaken)

    def changed(self, frame: Frame) -> set[str]:
        """Return the names that have another value now."""
        return {name for name, value in frame.names.items() if self._names.get(name) is not value}

    def done_since(self, machine: Machine) -> Done | None:
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
        if machine.abroad < 0 or machine.choices is not path or [taken, untaken] != since[3:5]:
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
