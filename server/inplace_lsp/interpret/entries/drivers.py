"""Classes of the user's that a framework calls in an order of its own: each is an entry, besides its methods.

The model of a framework says the order: its class has a method `__entry__`, which is executed on an object of each
class of the user's that inherits from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.interpret.entries.budget import STEPS, Budget
from inplace_lsp.interpret.entries.entries import ENTRY, Outcome, Start, definitions, drive, run_paths
from inplace_lsp.interpret.entries.unreached import Code
from inplace_lsp.interpret.entries.worlds import Worlds
from inplace_lsp.interpret.machine.machine import ABROAD_OF_PROGRAM
from inplace_lsp.interpret.state.facts import Asked, Facts
from inplace_lsp.interpret.state.frames import make_span
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class Heir:
    """A class of the file that inherits from another one; `path` are its name and those of the classes around it."""

    path: tuple[str, ...]
    definition: ir.ClassDef
    unit: Unit

    @property
    def name(self) -> str:
        """Its qualified name."""
        return ".".join(self.path)

    def span(self, file: str) -> Span:
        """Where the class's name stands."""
        return make_span(file, self.unit.row, self.definition.place)


def heirs(units: Sequence[Unit]) -> Iterator[Heir]:
    """Every class of the module that has a base."""
    for unit in units:
        yield from _heirs(unit.statements, unit, ())


def _heirs(body: Sequence[ir.Statement], unit: Unit, path: tuple[str, ...]) -> Iterator[Heir]:
    for node in definitions(body):
        if isinstance(node, ir.ClassDef):
            if any(argument.name is None for argument in node.arguments):
                yield Heir((*path, node.name), node, unit)
            yield from _heirs(node.body, unit, (*path, node.name))


def run_driver(
    heir: Heir, file: str, cancelled: Callable[[], None], facts: Facts, worlds: Worlds, share: int
) -> Outcome:
    """Call an object of the class as its framework does; nothing is done for a class that is for no framework."""
    span = heir.span(file)
    asked = Asked(facts)
    outcome = Outcome(heir.name, id(heir.definition), span, answers=asked.answers, by_framework=True)
    owner = worlds.find_class(heir.path, span, asked)
    if owner is None or owner.lookup(ENTRY) is None:
        outcome.asked = set(worlds.stage.frame.asked)
        return outcome
    world = worlds.of(heir.path, span, asked)
    asked.answers |= world.answers
    machine = worlds.stage.machine

    def start(choices: Choices, steps: int) -> Start:
        world.restart(choices, steps, span, asked)
        machine.abroad = ABROAD_OF_PROGRAM
        return machine, worlds.stage.frame, lambda: drive(machine, world.instance)

    return run_paths(outcome, Code(file, ()), start, cancelled, Budget(STEPS, share))
