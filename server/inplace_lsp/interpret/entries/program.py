"""A run of the module as a program, from top to bottom, as `python file.py` would."""

from __future__ import annotations

from collections.abc import Iterable

from inplace_lsp.interpret.entries.budget import STEPS_OF_PROGRAM, STEPS_TO_DEFINE
from inplace_lsp.interpret.entries.fixtures import Runner
from inplace_lsp.interpret.machine.machine import OTHER_MODULE_STEPS_OF_PROGRAM
from inplace_lsp.interpret.state.facts import RecordedFacts
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.values import Frame, Known
from inplace_lsp.source.plain_definitions import calls_no_code
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span


class ProgramRun:
    """One run along one path; `choices` are its decisions."""

    def __init__(
        self, runner: Runner, recorded: RecordedFacts, choices: Choices | None = None, steps: int = STEPS_OF_PROGRAM
    ) -> None:
        self.machine, self.frame = runner.machine, Frame(runner.frame.file, 1)
        runner.begin_path(choices or Choices(), steps, find_program_span(self.frame.file), recorded)
        self.machine.allow_other_modules(OTHER_MODULE_STEPS_OF_PROGRAM)
        self.machine.runs_program = True
        self.frame.names["__name__"] = Known("__main__")
        self._steps_to_define = STEPS_TO_DEFINE

    def execute_units(self, units: Iterable[Unit]) -> None:
        """Execute units in order."""
        frame = self.frame
        for unit in units:
            # Functions remember the row of the unit they are defined in.
            scope = Frame(frame.file, unit.row, names=frame.names, starred=frame.starred, asked=frame.asked)
            if calls_no_code(unit.statements):
                self._define(unit, scope)
            else:
                self.machine.execute(unit.statements, scope)

    def _define(self, unit: Unit, scope: Frame) -> None:
        """Execute a unit that only binds names. It has steps of its own: what a program that is cut off has done does
        not depend on definitions that it never asks for, and an edit of these need not run it again."""
        left, self.machine.steps = self.machine.steps, self._steps_to_define
        try:
            self.machine.execute(unit.statements, scope)
        finally:
            self._steps_to_define, self.machine.steps = self.machine.steps, left


def find_program_span(file: str) -> Span:
    """Return the place of the program as a whole."""
    return Span(file, 1, 0, 1, 0)
