"""The names of a module whose functions are judged on their own: what binds a name is executed when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import imports
from inplace_lsp.interpret.python.bindings import bindings, stars
from inplace_lsp.interpret.python.statements import Break, Continue, Raised, Return
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Value
from inplace_lsp.source.units import Unit


class Globals:
    """Answers for the names of a module that is not executed from top to bottom."""

    def __init__(self, machine: Machine, frame: Frame, units: Sequence[Unit]) -> None:
        self._machine = machine
        self._frame = frame
        self._binding = bindings(tuple(units))
        self.running: set[int] = set()
        imports.stars(machine, frame, stars(tuple(units)))

    def __call__(self, name: str) -> Value | None:
        """The value of `name`, None if no unit binds it."""
        for unit in reversed(self._binding.get(name, ())):
            if id(unit) not in self.running:
                self._execute(unit)
                return self._frame.names.get(name)
        return None

    def _execute(self, unit: Unit) -> None:
        machine = self._machine
        self.running.add(id(unit))
        recorder = machine.recorder
        saved = (recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack)
        recorder.grad_mode, recorder.inference_mode, machine.stack = True, False, []
        scope = Frame(
            self._frame.file,
            unit.row,
            names=self._frame.names,
            starred=self._frame.starred,
            asked=self._frame.asked,
            foreign=self._frame.foreign,
        )
        scope.find_global = self._frame.find_global or self
        try:
            machine.execute(unit.statements, scope)
        except (Return, Break, Continue, Raised, TorchError):
            pass
        finally:
            recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack = saved
