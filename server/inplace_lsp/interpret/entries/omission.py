"""Decide which entries are not run: those that can show no hazard, or none that another entry does not show."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.budget import STEPS
from inplace_lsp.interpret.entries.delegates import find_delegates
from inplace_lsp.interpret.entries.entry import Entry, find_function, find_undecorated_function
from inplace_lsp.interpret.entries.fixtures import ClassFixture, ClassFixtures
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.entries.write_syntax import leads_to_write
from inplace_lsp.interpret.machine.machine import OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.state.facts import RecordedFacts
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.values import Class, Function, Value
from inplace_lsp.interpret.torch_api import custom_function
from inplace_lsp.source import ir
from inplace_lsp.tape.model import Span


def hand_on(entry: Entry, span: Span, fixtures: ClassFixtures) -> Outcome | None:
    """Return the outcome of a function whose delegates are judged in its place; None if it does more than delegate."""
    delegates: Sequence[ir.FunctionDef] = () if entry.path else find_delegates(entry.definition, fixtures.binding)
    if not delegates:
        return None
    outcome = Outcome(entry.name, id(entry.definition), span)
    outcome.delegates = frozenset(map(id, delegates))
    outcome.read = {id(entry.definition), *outcome.delegates}
    outcome.asked = {delegate.name for delegate in delegates}
    return outcome


def leave_out(
    entry: Entry, span: Span, fixtures: ClassFixtures, fixture: ClassFixture | None, recorded: RecordedFacts
) -> Outcome | None:
    """Return the outcome of an entry that neither writes a tensor nor walks a graph back, with the definitions that
    show it (`fixtures.effects.examined`); None if the entry may do so."""
    runner = fixtures.runner
    fixtures.effects.examined.clear()
    if leads_to_write(entry.definition, fixtures.binding) or (
        fixture is not None and _needs_run(entry, span.file, fixture)
    ):
        return None
    begin_path = runner.begin_path if fixture is None else fixture.begin_path
    begin_path(Choices(), STEPS, span, recorded)
    owner = fixture.owner if fixture is not None else None
    function = _find_entry_function(entry, fixtures, owner)
    if function is None:
        return None
    receiver = _find_receiver(function, fixture)
    if fixtures.effects.may_write_or_walk(function, receiver):
        return None
    outcome = Outcome(entry.name, id(entry.definition), span, answers=recorded.answers)
    outcome.read = runner.machine.looked_into | runner.machine.called | fixtures.effects.examined
    outcome.asked = set(runner.frame.asked)
    return outcome


def _needs_run(entry: Entry, file: str, fixture: ClassFixture) -> bool:
    """Return whether a method is run whatever it does: one of a custom Function, which has a contract to keep, or a
    forward pass of a module that with other options asks its layers to write in place."""
    if fixture.owner is not None and custom_function.is_custom_function(fixture.owner):
        return True
    constructor = fixture.find_constructor(file) if entry.definition.name == "forward" else None
    return constructor is not None and bool(constructor.find_unreached_statements(fixture.executed))


def _find_entry_function(entry: Entry, fixtures: ClassFixtures, owner: Class | None) -> Function | None:
    try:
        named = find_function(fixtures.runner.frame, entry, owner)
    except (OutOfBudgetError, RecursionError, Return, Break, Continue, Raised, TorchError):
        return None
    return find_undecorated_function(named, entry.definition) if named is not None else None


def _find_receiver(function: Function, fixture: ClassFixture | None) -> Value | None:
    """Return the object or class that a method gets as its first argument."""
    if fixture is None or function.kind == "staticmethod":
        return None
    return fixture.owner if function.kind == "classmethod" else fixture.instance
