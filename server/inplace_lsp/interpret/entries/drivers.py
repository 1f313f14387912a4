"""Run classes whose methods a framework calls in its own order: each class is an entry, in addition to its methods.

The model of a framework defines the order: its class has a method `__entry__`, which is executed on an object of each
user class that inherits from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.interpret.entries.budget import STEPS, Budget
from inplace_lsp.interpret.entries.entries import ENTRY, Start, drive_object, run_paths
from inplace_lsp.interpret.entries.entry import find_definitions
from inplace_lsp.interpret.entries.fixtures import ClassFixtures
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.entries.unreached import Code
from inplace_lsp.interpret.machine.machine import OTHER_MODULE_STEPS_OF_PROGRAM
from inplace_lsp.interpret.state.facts import Facts, RecordedFacts
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.spans import make_span
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class Heir:
    """A class of the file that inherits from another one; `path` are the names of the classes around it and its own."""

    path: tuple[str, ...]
    definition: ir.ClassDef
    unit: Unit

    @property
    def name(self) -> str:
        """Return the qualified name."""
        return ".".join(self.path)

    def find_span(self, file: str) -> Span:
        """Return the span of the class's name."""
        return make_span(file, self.unit.row, self.definition.place)


def find_heirs(units: Sequence[Unit]) -> Iterator[Heir]:
    """Yield every class of the module that has a base."""
    for unit in units:
        yield from _find_heirs_in(unit.statements, unit, ())


def _find_heirs_in(body: Sequence[ir.Statement], unit: Unit, path: tuple[str, ...]) -> Iterator[Heir]:
    for node in find_definitions(body):
        if isinstance(node, ir.ClassDef):
            if any(argument.name is None for argument in node.arguments):
                yield Heir((*path, node.name), node, unit)
            yield from _find_heirs_in(node.body, unit, (*path, node.name))


def run_driver(
    heir: Heir, file: str, cancelled: Callable[[], None], facts: Facts, fixtures: ClassFixtures, share: int
) -> Outcome:
    """Call an object of the class as its framework does; do nothing for a class without a framework."""
    span = heir.find_span(file)
    recorded = RecordedFacts(facts, file)
    outcome = Outcome(heir.name, id(heir.definition), span, answers=recorded.answers, by_framework=True)
    owner = fixtures.find_class(heir.path, span, recorded)
    if owner is None or owner.look_up(ENTRY) is None:
        outcome.asked = set(fixtures.runner.frame.asked)
        return outcome
    fixture = fixtures.find_fixture(heir.path, span, recorded)
    recorded.answers |= fixture.answers
    machine = fixtures.runner.machine

    def start_path(choices: Choices, steps: int) -> Start:
        fixture.begin_path(choices, steps, span, recorded)
        machine.allow_other_modules(OTHER_MODULE_STEPS_OF_PROGRAM)
        return machine, fixtures.runner.frame, lambda: drive_object(machine, fixture.instance)

    return run_paths(outcome, Code(file, ()), start_path, cancelled, Budget(STEPS, share))
