"""The names of a module whose functions are judged on their own: what binds a name is executed when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.machine.machine import NOTHING_DONE, Machine
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.python import imports
from inplace_lsp.interpret.python.bindings import bindings, stars
from inplace_lsp.interpret.python.kept import Kept, only_defines
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Value
from inplace_lsp.source.units import Unit


class Globals:
    """Answers for the names of a module that is not executed from top to bottom.

    `kept` are the units that did nothing but define: they are executed once for all paths.
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
            if id(unit) not in self.running:
                self.running.add(id(unit))
                if not self._recall(unit):
                    self._execute(unit)
                return self._frame.names.get(name)
        return None

    def forget(self) -> None:
        """As if nothing had been executed yet."""
        self.running.clear()

    def _recall(self, unit: Unit) -> bool:
        """Bind what `unit` defined when it was executed before, if it would do the same again."""
        kept = self._kept.get(id(unit))
        if kept is None or not kept.holds(self._frame):
            return False
        self._machine.spend(kept.steps, kept.abroad)
        self._frame.names.update(kept.binds)
        return True

    def _execute(self, unit: Unit) -> None:
        machine, frame = self._machine, self._frame
        recorder = machine.recorder
        saved = (recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack)
        outer, machine.tally_below = machine.tally_below, NOTHING_DONE
        before = machine.tally()
        recorder.grad_mode, recorder.inference_mode, machine.stack = True, False, []
        asked: set[str] = set()
        scope = Frame(
            frame.file,
            unit.row,
            names=frame.names,
            starred=frame.starred,
            asked=asked,
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
            steps, abroad, *effects = map(sub, map(sub, machine.tally(), before), machine.tally_below)
            if only_defines(unit.statements) and not any(effects):
                self._keep(unit, asked, steps, abroad)
        finally:
            recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack = saved
            machine.tally_below = tuple(map(add, outer, map(sub, machine.tally(), before)))
            frame.asked |= asked
            scope.asked = frame.asked

    def _keep(self, unit: Unit, asked: set[str], steps: int, abroad: int) -> None:
        kept = Kept.of(unit.statements, self._frame, asked, steps, abroad)
        if kept is not None:
            self._kept[id(unit)] = kept
