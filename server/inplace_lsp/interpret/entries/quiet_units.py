"""Find units of a program that only bind names: if no other code reads these, their values do not affect the
program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import sub

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.fixtures import Runner
from inplace_lsp.interpret.entries.program import ProgramRun
from inplace_lsp.interpret.machine.machine import LookedInto, Machine, OutOfBudgetError, Steps
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.python.bindings import find_bound_names
from inplace_lsp.interpret.python.source_modules import open_scope
from inplace_lsp.interpret.state.facts import Facts, ModuleText, Question, RecordedFacts
from inplace_lsp.interpret.state.snapshot import Snapshot
from inplace_lsp.interpret.state.values import Frame, Imported, Value
from inplace_lsp.source import ir
from inplace_lsp.source.typed_text import Path, forget_text
from inplace_lsp.source.units import Unit

ROUNDS = 3
"""How often a unit is executed to find all that it has other modules define."""

Definitions = tuple[tuple[ModuleText | None, str], ...]
"""Names by their modules, None for the program itself; no name: the module is only looked into."""

_NOT_QUIET = (Return, Break, Continue, Raised, TorchError, OutOfBudgetError, RecursionError)


@dataclass(frozen=True, slots=True)
class QuietEffects:
    """What a unit did that changed nothing but its own names: of two with the same effects, only the values of these
    names differ. `asked`: the names that it looked up, by module."""

    steps: Steps
    called: frozenset[int]
    looked_into: frozenset[LookedInto]
    asked: frozenset[tuple[str, str]]
    questions: frozenset[Question]
    defined: Definitions


@dataclass(frozen=True, slots=True)
class ObservedUnit:
    """What executing a unit of a program showed. `effects`: None if it changed more than the names it binds. `defined`:
    what other modules had to define for it, and the imports that it was the first to use. `typed`: the way to the text
    constant that was edited last; `any_text`: its effects are the same whatever text stands there."""

    unit: Unit
    effects: QuietEffects | None = None
    defined: Definitions = ()
    typed: Path | None = None
    any_text: bool = False


def only_binds(unit: Unit) -> bool:
    """Return whether the statements of a unit assign to names alone."""
    return all(
        (isinstance(node, ir.Assign) and all(isinstance(target, ir.Name) for target in node.targets))
        or (isinstance(node, ir.Annotate) and isinstance(node.target, ir.Name))
        for node in unit.statements
    )


def observe_unit(unit: Unit, units: Sequence[Unit], facts: Facts, runner: Runner, defined: Definitions) -> ObservedUnit:
    """Execute the program up to and with `unit`.

    `defined` is what it may need of other modules, as far as that is known: it is defined before, so that what the unit
    does to it is seen.
    """
    for _ in range(ROUNDS):
        recorded = RecordedFacts(facts, runner.frame.file)
        run = ProgramRun(runner, recorded)
        try:
            run.execute_units(units[: units.index(unit)])
            _define_names(run, defined)
            before = _StateBefore(run, recorded)
            run.execute_units((unit,))
        except _NOT_QUIET:
            break
        new = before.find_definitions(frozenset(find_bound_names(unit.statements)))
        if not new:
            effects = before.find_effects(defined) if new is not None else None
            return ObservedUnit(unit, effects, defined)
        defined = (*defined, *new)
    return ObservedUnit(unit, None, defined)


def note_typing(
    observed: ObservedUnit,
    before: ObservedUnit,
    typed: Path | None,
    units: Sequence[Unit],
    facts: Facts,
    runner: Runner,
) -> ObservedUnit:
    """Return what is known of a unit with the way to the text in which it differs from the unit `before`. If the same
    text was edited before, find out whether the effects depend on it."""
    if typed is None or typed != before.typed:
        return replace(observed, typed=typed)
    unit = Unit(observed.unit.row, forget_text(observed.unit.statements, typed))
    others = [unit if other is observed.unit else other for other in units]
    forgotten = observe_unit(unit, others, facts, runner, observed.defined)
    return replace(observed, typed=typed, any_text=forgotten.effects == observed.effects)


def _define_names(run: ProgramRun, names: Definitions) -> None:
    for module, name in names:
        frame = run.frame if module is None else open_scope(run.machine, module)
        if frame is not None and name:
            frame.look_up(name)


class _StateBefore:
    """The state of a program before one of its units is executed."""

    def __init__(self, run: ProgramRun, recorded: RecordedFacts) -> None:
        self._machine, self._own, self._recorded = run.machine, run.frame, recorded
        self._machine.called, self._machine.looked_into = set(), set()
        self._tally, self._marks = self._machine.count_effects(), _mark_machine(self._machine)
        self._questions = frozenset(recorded.answers)
        scopes = self._list_scopes()
        for frame in scopes:
            frame.asked.clear()
        self._names = {id(frame): dict(frame.names) for frame in scopes}
        self._snapshot = _take_snapshot(self._machine, scopes)

    def _list_scopes(self) -> list[Frame]:
        """Return the scopes of the program and of all modules that it has looked into."""
        return [self._own, *self._machine.modules.values()]

    def find_definitions(self, bound: frozenset[str]) -> Definitions | None:
        """Return the names that other modules have defined since; None if a name has another value, those `bound` by
        the unit left out."""
        texts: dict[int, ModuleText | None] = {id(frame): text for text, frame in self._machine.scopes.items()}
        texts[id(self._own)] = None
        found: list[tuple[ModuleText | None, str]] = []
        for frame in self._list_scopes():
            if id(frame) not in texts:
                return None
            text, before = texts[id(frame)], self._names.get(id(frame), {})
            if id(frame) not in self._names:
                found.append((text, ""))
            new = _find_new_names(before, frame.names, bound if text is None else frozenset())
            if new is None or (text is None and not before.keys() >= set(new)):
                return None
            found += [(text, name) for name in new]
        return tuple(found)

    def find_effects(self, defined: Definitions) -> QuietEffects | None:
        """Return what was done since; None if anything that was there before is another."""
        machine = self._machine
        done = list(map(sub, machine.count_effects(), self._tally))
        steps, (events, taken, untaken, _, _, unknowns, _, evidence) = Steps(*done[:3]), done[3:]
        if any((events, taken, untaken, unknowns, evidence)) or self._marks != _mark_machine(machine):
            return None
        if not self._snapshot.is_unchanged():
            return None
        return QuietEffects(
            steps,
            frozenset(machine.called),
            frozenset(machine.looked_into),
            frozenset((frame.file, name) for frame in self._list_scopes() for name in frame.asked),
            frozenset(self._recorded.answers) - self._questions,
            defined,
        )


def _find_new_names(before: dict[str, Value], now: dict[str, Value], bound: frozenset[str]) -> list[str] | None:
    """Return the names that were bound now; None if a name had another value before. Imports that no code has used have
    no value."""
    changed = [
        name
        for name, value in now.items()
        if name not in bound and type(value) is not Imported and before.get(name) is not value
    ]
    is_new = all(name not in before or type(before[name]) is Imported for name in changed)
    return changed if is_new and before.keys() <= now.keys() else None


def _mark_machine(machine: Machine) -> tuple[object, ...]:
    """Return what else of the machine a unit may change."""
    recorder = machine.recorder
    modes = (recorder.grad_mode, recorder.inference_mode, recorder.autocast, recorder.hiding, recorder.unchecking)
    inside = (len(machine.stack), machine.decorating, machine.caching)
    kept = (machine.driven, machine.answers, machine.missed, machine.searched, recorder.trained)
    return (modes, inside, *map(len, kept))


def _take_snapshot(machine: Machine, scopes: Sequence[Frame]) -> Snapshot:
    """Return the state of all values of modules; the modules' own tables of names are compared apart from it."""
    values = [value for frame in scopes for value in frame.names.values() if type(value) is not Imported]
    kept = (machine.module_hooks, machine.cached_weights, machine.tables)
    return Snapshot([*values, *kept], apart=[part for frame in scopes for part in (frame, frame.names)])
