"""Find the outcome of every entry of a file, and reuse those that an edit left valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from inplace_lsp.analysis_progress import tell_share
from inplace_lsp.cancellation import checkpoint
from inplace_lsp.internal_errors import describe_error
from inplace_lsp.interpret.entries.budget import COST_OF_FINDING, Spent
from inplace_lsp.interpret.entries.drivers import Heir, find_heirs, run_driver
from inplace_lsp.interpret.entries.entries import PROGRAM, run_function, run_program
from inplace_lsp.interpret.entries.entry import find_entries
from inplace_lsp.interpret.entries.fixtures import ClassFixtures
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.entries.program import find_program_span
from inplace_lsp.interpret.entries.quiet_units import Definitions, ObservedUnit, note_typing, observe_unit
from inplace_lsp.interpret.state.facts import CurrentAnswers, Facts
from inplace_lsp.memory import AnalysisMemory, JudgedOutcome, judge_outcome, outdate_outcome
from inplace_lsp.source.lines import MatchedLines
from inplace_lsp.source.typed_text import Path, find_typed_text
from inplace_lsp.source.units import Source, Unit
from inplace_lsp.tape.model import Span

STEPS_WORTH_A_WORD = 2_000
"""If what depends on an edit took this many steps before, the findings of the edited function are published first."""
FEW = 8
"""If more functions are new, as after a paste or an analysis that was ended, all findings are published at once."""

Key = object
"""What an entry is known by between two analyses: its name and its number among those of the same name."""
PROGRAM_KEY: Key = ""
"""The key of the module as a program, which comes first."""


@dataclass(frozen=True, slots=True)
class _WholeRun:
    """The key of the run of a function that usually only its delegates are judged for."""

    key: Key


@dataclass(frozen=True, slots=True)
class _Function:
    """A function to be judged, and its run with a share of the budget."""

    key: Key
    name: str
    definition: int
    span: Span
    run: Callable[..., Outcome]


def list_outcomes(found: Mapping[Key, JudgedOutcome]) -> list[JudgedOutcome]:
    """Return the outcome of each entry, that of its whole run if there was one."""
    return [found.get(_WholeRun(key), judged) for key, judged in found.items() if not isinstance(key, _WholeRun)]


class FileRun:
    """One run over the entries of a file. `found`: the outcomes so far, by their keys."""

    def __init__(self, source: Source, filename: str, facts: Facts, memory: AnalysisMemory) -> None:
        self.found: dict[Key, JudgedOutcome] = {}
        self._source, self._units = source, source.units
        self._filename, self._facts, self._memory = filename, facts, memory
        self._fixtures = ClassFixtures(filename, source.units)
        self._answers = CurrentAnswers(facts, memory.list_answers(filename))
        self._entries = sum(1 for _ in find_entries(self._units)) + sum(1 for _ in find_heirs(self._units))
        self._tally = _Tally(self._entries)

    def find_outcomes(self, early: Callable[[Sequence[JudgedOutcome]], None] | None) -> None:
        """Find the outcomes of the module as a program and of every function and class that a framework calls. `early`
        is called with what is known once the edited functions are judged, if the others take long."""
        functions = list(self._list_functions())
        known = self._judge_edited(functions, early) if early is not None else {}
        self.found[PROGRAM_KEY] = self._find_outcome_of_program()
        for at, function in enumerate(functions, start=1):
            tell_share(at / (len(functions) + 1))
            self._judge_function(function, known.get(function.key))
        self._run_callers_of_findings(functions)
        program = self.found[PROGRAM_KEY].outcome
        for key, heir in self._list_heirs():
            if heir.path[-1] not in program.driven or program.incomplete:  # else the program does it itself
                self._judge_heir(key, heir)
        self._fixtures.release_machine()

    def _list_functions(self) -> Iterator[_Function]:
        number = _Numbers()
        for entry in find_entries(self._units):
            key = number.make_key(entry.name, id(entry.definition))
            run = partial(run_function, entry, self._filename, checkpoint, self._facts, self._fixtures)
            yield _Function(key, entry.name, id(entry.definition), entry.find_span(self._filename), run)

    def _list_heirs(self) -> Iterator[tuple[Key, Heir]]:
        """Yield the classes that frameworks call, with their keys."""
        number = _Numbers()
        for heir in find_heirs(self._units):
            yield number.make_key("class", heir.name), heir

    def _judge_function(self, function: _Function, known: JudgedOutcome | None) -> None:
        """Find the outcome of a function; `known` is one that is certain if its share of the budget is the same."""
        share = self._tally.spent.find_share()
        if known is None or known.outcome.share not in (0, share):
            run = partial(function.run, share)
            known = self._find_outcome(function.key, function.name, function.span, run, share)
        self.found[function.key] = known
        self._tally.note_outcome(known)

    def _judge_heir(self, key: Key, heir: Heir) -> None:
        share = self._tally.spent.find_share()
        run = partial(run_driver, heir, self._filename, checkpoint, self._facts, self._fixtures, share)
        self.found[key] = self._find_outcome(key, heir.name, heir.find_span(self._filename), run, share)
        self._tally.note_outcome(self.found[key])

    def _run_callers_of_findings(self, functions: Sequence[_Function]) -> None:
        """Run the functions that only delegate to one with findings: a call may show that they do no harm there."""
        judged = self.found.values()
        called = {entry.outcome.definition: entry.outcome.called for entry in judged}
        with_findings = {entry.outcome.definition for entry in judged if entry.findings}
        for function in functions:
            delegates = self.found[function.key].outcome.delegates
            if any(not with_findings.isdisjoint({delegate, *called.get(delegate, ())}) for delegate in delegates):
                whole, share = _WholeRun(function.key), self._tally.spent.find_share()
                run = partial(function.run, share, even_inert=True)
                self.found[whole] = self._find_outcome(whole, function.name, function.span, run, share)
                self._tally.note_cost(self.found[whole])

    # After an edit

    def _judge_edited(
        self, functions: Sequence[_Function], early: Callable[[Sequence[JudgedOutcome]], None]
    ) -> dict[Key, JudgedOutcome]:
        """Judge the functions whose own text was edited before all that depends on them, and tell what is known then,
        if the others take long. Return the outcomes that are certain by now."""
        before, former = self._memory.last_source(self._filename), self._memory.list_outcomes(self._filename)
        edited = [function for function in functions if function.key not in former]
        if before is None or not 0 < len(edited) <= FEW:
            return {}
        found, shares = self._recall_all(functions, former)
        keys = [function.key for function in functions]
        present = {PROGRAM_KEY, *keys, *map(_WholeRun, keys), *(key for key, _ in self._list_heirs())}
        waiting = {key: old for key, old in former.items() if key in present and key not in found}
        if sum(old.outcome.steps for old in waiting.values()) < STEPS_WORTH_A_WORD:
            return found
        for function in edited:
            checkpoint()
            found[function.key] = self._run_entry(
                function.name, function.span, partial(function.run, shares[function.key])
            )
        new = {function.name: function.definition for function in edited}
        changed = [old.outcome for old in former.values() if old.outcome.function in new]
        renamed = {outcome.definition: new[outcome.function] for outcome in changed}
        lines = MatchedLines(before.list_lines(), self._source.list_lines())
        known = found | {key: outdate_outcome(old, lines, renamed) for key, old in waiting.items()}
        early(list_outcomes({PROGRAM_KEY: known.pop(PROGRAM_KEY), **known}))
        return found

    def _recall_all(
        self, functions: Sequence[_Function], former: Mapping[Key, JudgedOutcome]
    ) -> tuple[dict[Key, JudgedOutcome], dict[Key, int]]:
        """Return the outcomes of the program, the functions and the classes that an edit left valid, and what share of
        the budget each is likely to have."""
        wanted: list[tuple[Key, Span, int]] = [(PROGRAM_KEY, find_program_span(self._filename), 1)]
        tally = _Tally(self._entries)
        for function in functions:
            wanted.append((function.key, function.span, tally.spent.find_share()))
            if function.key in former:
                tally.note_outcome(former[function.key])
        wanted += [(key, heir.find_span(self._filename), tally.spent.find_share()) for key, heir in self._list_heirs()]
        recalled = ((key, self._recall(key, span, share)) for key, span, share in wanted)
        found = {key: known for key, known in recalled if known is not None}
        return found, {key: share for key, _, share in wanted}

    def _recall(self, key: Key, span: Span, share: int) -> JudgedOutcome | None:
        """Return an entry's outcome if it is remembered and still holds."""
        try:
            return self._memory.recall(self._filename, key, span, self._units, self._answers, share)
        except Exception:  # a bug of ours: it is found anew, which shows it
            return None

    def _find_outcome(self, key: Key, name: str, span: Span, run: Callable[[], Outcome], share: int) -> JudgedOutcome:
        """Return an entry's outcome, remembered or new."""
        checkpoint()
        known = self._recall(key, span, share)
        return known if known is not None else self._run_entry(name, span, run)

    def _run_entry(self, name: str, span: Span, run: Callable[[], Outcome]) -> JudgedOutcome:
        """Return an entry's new outcome. An internal error costs one function, never the file."""
        try:
            return judge_outcome(run(), self._units)
        except Exception as error:
            failed = JudgedOutcome(Outcome(name, 0, span), (), self._units)
            note_fault(failed, error)
            return failed

    # The program

    def _find_outcome_of_program(self) -> JudgedOutcome:
        """Return the outcome of the module as a program. If only the values of names have changed that nobody asks for,
        it is the former one, as long as the unit that binds them does nothing else than before."""
        span = find_program_span(self._filename)
        run = partial(run_program, self._units, self._filename, checkpoint, self._facts, self._fixtures)
        try:
            edited = self._memory.find_rebinding(self._filename, PROGRAM_KEY, span, self._units, self._answers)
        except Exception:  # a bug of ours: the program is run, which shows it
            edited = None
        if edited is None:
            return self._find_outcome(PROGRAM_KEY, PROGRAM, span, run, 1)
        before = edited.find_observed()
        if before is not None and before.effects is None:
            return replace(self._run_entry(PROGRAM, span, run), observed=before)
        typed = find_typed_text(edited.before.statements, edited.now.statements)
        if before is not None and before.any_text and before.typed == typed:
            return replace(edited.known, observed=replace(before, unit=edited.now))
        now = self._observe_unit(edited.now, self._units, edited.find_definitions())
        if now.effects is not None:
            before = before or self._observe_unit(edited.before, edited.units, now.defined)
            if now.effects == before.effects:
                return replace(edited.known, observed=self._note_typing(now, before, typed))
        return replace(self._run_entry(PROGRAM, span, run), observed=now)

    def _observe_unit(self, unit: Unit, units: tuple[Unit, ...], defined: Definitions) -> ObservedUnit:
        """Return what a unit of a program does; `defined`: see `observe_unit`."""
        checkpoint()
        try:
            return observe_unit(unit, units, self._facts, self._fixtures.runner, defined)
        except Exception:  # a bug of ours: the program is run, which shows it
            return ObservedUnit(unit)

    def _note_typing(self, now: ObservedUnit, before: ObservedUnit, typed: Path | None) -> ObservedUnit:
        """Return what is known of a unit, see `note_typing`."""
        checkpoint()
        try:
            return note_typing(now, before, typed, self._units, self._facts, self._fixtures.runner)
        except Exception:  # a bug of ours: the next text is observed anew
            return now


class _Numbers:
    """Makes keys: of the very same text several times in a file, each has a number."""

    def __init__(self) -> None:
        self._seen: Counter[object] = Counter()

    def make_key(self, *parts: object) -> Key:
        """Return a key that no earlier call has returned."""
        self._seen[parts] += 1
        return (*parts, self._seen[parts])


class _Tally:
    """Counts what the entries of a file take."""

    def __init__(self, entries: int) -> None:
        self.spent = Spent(entries)
        self._places: set[tuple[Span, str]] = set()

    def note_outcome(self, judged: JudgedOutcome) -> None:
        """Count what an entry has taken."""
        outcome = judged.outcome
        self.spent.steps += outcome.steps
        self.spent.in_vain += outcome.steps if outcome.incomplete else 0
        self.note_cost(judged)

    def note_cost(self, judged: JudgedOutcome) -> None:
        """Count what a run has cost, and the findings that no other run had."""
        known = len(self._places)
        self._places.update((finding.span, finding.code) for finding in judged.findings)
        new = len(self._places) - known
        self.spent.note_cost(judged.outcome.cost + COST_OF_FINDING * new, judged.outcome.share)


def note_fault(entry: JudgedOutcome, error: Exception) -> None:
    """Note an internal error in the outcome of the entry that it has cost something."""
    entry.outcome.incomplete, entry.outcome.failed = describe_error(error), True
