"""Analyse source text and return findings: the only access of `lsp` and `cli` to the analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cache, lru_cache, partial

from inplace_lsp.analysis import Analysis, Cause, NotAnalysed
from inplace_lsp.cancellation import Abandoned, checkpoint
from inplace_lsp.hazards.assumptions import lower_to_hint
from inplace_lsp.hazards.finding import Finding, Severity
from inplace_lsp.hazards.merge import merge_findings, tell_conditions
from inplace_lsp.interpret.autograd.ledger import Ledger
from inplace_lsp.interpret.entries.budget import share_after
from inplace_lsp.interpret.entries.callers import Callers
from inplace_lsp.interpret.entries.drivers import find_heirs, run_driver
from inplace_lsp.interpret.entries.entries import PROGRAM, find_entries, run_function, run_program
from inplace_lsp.interpret.entries.fixtures import ClassFixtures
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.entries.program import find_program_span
from inplace_lsp.interpret.entries.quiet_units import Definitions, ObservedUnit, observe_unit
from inplace_lsp.interpret.entries.tensors_in_sight import has_tensors_in_sight
from inplace_lsp.interpret.state.facts import NO_FACTS, CurrentAnswers, Facts, ParameterQuestion, TorchQuestion
from inplace_lsp.memory import AnalysisMemory, JudgedOutcome, judge_outcome
from inplace_lsp.python_frames import keep_frames_in_one_block
from inplace_lsp.source import functions, locate
from inplace_lsp.source.functions import Enclosing
from inplace_lsp.source.locate import Found
from inplace_lsp.source.parsed import Broken
from inplace_lsp.source.units import Source, Unit, read_source
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.move import MovedTapes
from inplace_lsp.tape.training import Training
from inplace_lsp.telling import tell_share
from inplace_lsp.torch_ops.table import torch_version, use_release


@keep_frames_in_one_block
def analyse_source(text: str, filename: str, facts: Facts = NO_FACTS, last: Analysis | None = None) -> Analysis:
    """Analyse the source `text` of `filename` (absolute; used for spans only, nothing is read). Never raises.

    `facts` are known besides the text. With them there may be findings in other files: a call in this file can make a
    write there a hazard.

    `last`: somebody types the text; this is its last analysis, an empty one if there was none. A statement that does
    not parse keeps the meaning that it had there, without the findings in its lines that have changed since.
    """
    with use_release(facts.torch(TorchQuestion(filename))):
        source = read_source(text, _MEMORY.last_source(filename), last.pieces if last is not None else ())
        found = _analyse_units(text, source, filename, facts)
        return replace(found, torch=torch_version(), pieces=source.pieces if last is not None else ())


def _analyse_units(text: str, source: Source, filename: str, facts: Facts) -> Analysis:
    broken = [_report_broken(part, filename) for part in source.broken]
    if not has_tensors_in_sight(text, filename, source.units, facts):
        return Analysis(gaps=tuple(broken))
    known: dict[object, JudgedOutcome] = {}
    try:
        _find_outcomes(source, filename, facts, known)
    except Abandoned:  # by an edit of a file that was just opened, say: the next analysis need not begin anew
        if known and _MEMORY.last_source(filename) is None:
            _MEMORY.store(filename, source, known)
        raise
    _MEMORY.store(filename, source, known)
    judged = list(known.values())
    functions = [entry for entry in judged[1:] if not entry.outcome.by_framework]
    counted = (judged[0], *functions)
    unknown = Counter(name for entry in counted for name in _unknown_functions(entry.outcome))
    found = [
        finding for finding in _judge_outcomes(judged, source.units) if not _is_unread(finding.span, filename, source)
    ]
    return Analysis(
        findings=tuple(finding for finding in found if finding.severity != "information"),
        tapes=MovedTapes(placed for entry in judged for placed in entry.list_tapes()),
        gaps=(*broken, *(gap for entry in counted for gap in _find_gaps(entry))),
        functions=len(functions),
        wanted=_find_wanted_types(judged, filename),
        remarks=tuple(finding for finding in found if finding.severity == "information"),
        unknown=tuple(sorted(unknown.items())),
        facts=facts,
    )


def _is_unread(span: Span, filename: str, source: Source) -> bool:
    """Return whether a place is in lines of which it is not known what they do now."""
    return span.file == filename and any(first <= span.row <= last for first, last in source.unread)


def _find_wanted_types(entries: Iterable[JudgedOutcome], filename: str) -> tuple[ParameterQuestion, ...]:
    """Return the questions about types of parameters in this file that the analysis has asked."""
    asked = {question for entry in entries for question in entry.outcome.answers}
    return tuple(
        sorted(question for question in asked if isinstance(question, ParameterQuestion) and question.file == filename)
    )


def observe_training(
    text: str, filename: str, functions: Set[str], facts: Facts = NO_FACTS, *, updates_leaves: bool = False
) -> frozenset[Training]:
    """Return the training of the runs of these functions (by tape name), each write done as its author meant it.

    `updates_leaves`: see Ledger. The result is not cached: only the comparison of repairs needs it.
    """
    with use_release(facts.torch(TorchQuestion(filename))):
        return _observe_training(text, filename, functions, facts, updates_leaves)


def _observe_training(
    text: str, filename: str, functions: Set[str], facts: Facts, updates_leaves: bool
) -> frozenset[Training]:
    units = _read_units(text)
    fixtures = ClassFixtures(filename, units)
    ledger = fixtures.runner.machine.recorder.ledger = Ledger(updates_leaves=updates_leaves)
    try:
        for name, run in _runs_of(units, filename, functions, facts, fixtures):
            checkpoint()
            ledger.is_program = name == PROGRAM
            run()
    except Exception:  # a bug of ours: nothing is known then, and nothing is offered
        return frozenset()
    finally:
        fixtures.runner.machine.recorder.ledger = None
        fixtures.release_machine()
    return frozenset(ledger.runs)


def _runs_of(
    units: tuple[Unit, ...], filename: str, functions: Set[str], facts: Facts, fixtures: ClassFixtures
) -> Iterator[tuple[str, Callable[[], Outcome]]]:
    """Yield the name and the run of each function, the module as a program and framework-driven classes included."""
    if PROGRAM in functions:
        yield PROGRAM, partial(run_program, units, filename, checkpoint, facts, fixtures)
    for entry in find_entries(units):
        if entry.name in functions:
            yield entry.name, partial(run_function, entry, filename, checkpoint, facts, fixtures, 1)
    for heir in find_heirs(units):
        if heir.name in functions:
            yield heir.name, partial(run_driver, heir, filename, checkpoint, facts, fixtures, 1)


def function_at(text: str, row: int) -> Enclosing | None:
    """Return the innermost function around the statement on `row`; None outside all functions."""
    return functions.find_function_at(_read_units(text), row)


def tapes_at(text: str, filename: str, row: int) -> tuple[Tape, ...]:
    """Return the tapes of the function around `row` if it was skipped because it cannot show a hazard."""
    units = _read_units(text)
    around = functions.find_function_at(units, row)
    named = [
        entry for entry in find_entries(units) if around is not None and entry.find_span(filename).row == around.row
    ]
    if not named:
        return ()
    fixtures = ClassFixtures(filename, units)
    try:
        return tuple(run_function(named[0], filename, checkpoint, NO_FACTS, fixtures, 1, even_inert=True).tapes)
    except Exception:  # a bug of ours costs one answer
        return ()
    finally:
        fixtures.release_machine()


def find_code_at(text: str, row: int, column: int) -> Found:
    """Return the expression or operator at a place, which the reader points at."""
    return locate.find_at(_read_units(text), row, column)


@lru_cache(maxsize=4)
def _read_units(text: str) -> tuple[Unit, ...]:
    """Return the units of a text: whoever asks about one place of it asks several things."""
    return read_source(text).units


_MEMORY = AnalysisMemory()
"""Makes an edit cost only what it changed: an analysis is a pure function of the text, whatever is remembered."""


def _find_outcomes(source: Source, filename: str, facts: Facts, found: dict[object, JudgedOutcome]) -> None:
    """Put into `found` the outcomes of the module as a program and of every function; reuse those that an edit left
    valid."""
    units = source.units
    fixtures = ClassFixtures(filename, units)
    answers = CurrentAnswers(facts)
    found[""] = _find_outcome_of_program(units, filename, facts, answers, fixtures)
    in_vain = 0
    entries = tuple(find_entries(units))
    for at, entry in enumerate(entries, start=1):
        tell_share(at / (len(entries) + 1))
        key: object = (entry.name, id(entry.definition))
        while key in found:  # the very same text twice
            key = (key, "again")
        share = share_after(in_vain)
        run = partial(run_function, entry, filename, checkpoint, facts, fixtures, share)
        found[key] = _find_outcome(key, entry.name, entry.find_span(filename), units, run, answers, share)
        in_vain += _count_wasted_steps(found[key].outcome)
    known = found[""].outcome
    for heir in find_heirs(units):
        if heir.path[-1] in known.driven and not known.incomplete:  # the program does it itself
            continue
        key = ("class", heir.name)
        while key in found:
            key = (key, "again")
        share = share_after(in_vain)
        run = partial(run_driver, heir, filename, checkpoint, facts, fixtures, share)
        found[key] = _find_outcome(key, heir.name, heir.find_span(filename), units, run, answers, share)
        in_vain += _count_wasted_steps(found[key].outcome)
    fixtures.release_machine()


def _find_outcome_of_program(
    units: tuple[Unit, ...], filename: str, facts: Facts, answers: CurrentAnswers, fixtures: ClassFixtures
) -> JudgedOutcome:
    """Return the outcome of the module as a program. If only the values of names have changed that nobody asks for, it
    is the former one, as long as the unit that binds them does nothing else than before."""
    span = find_program_span(filename)
    run = partial(run_program, units, filename, checkpoint, facts, fixtures)
    edited = _MEMORY.find_rebinding(filename, "", span, units, answers)
    if edited is None:
        return _find_outcome("", PROGRAM, span, units, run, answers, 1)
    before = edited.find_observed()
    if before is not None and before.effects is None:
        return replace(_run_entry(PROGRAM, span, units, run), observed=before)
    now = _observe_unit(edited.now, units, facts, fixtures, edited.find_definitions())
    if now.effects is not None:
        before = before or _observe_unit(edited.before, edited.units, facts, fixtures, now.defined)
        if now.effects == before.effects:
            return replace(edited.known, observed=now)
    return replace(_run_entry(PROGRAM, span, units, run), observed=now)


def _observe_unit(
    unit: Unit, units: tuple[Unit, ...], facts: Facts, fixtures: ClassFixtures, defined: Definitions
) -> ObservedUnit:
    """Return what a unit of a program does; `defined`: see `observe_unit`."""
    checkpoint()
    try:
        return observe_unit(unit, units, facts, fixtures.runner, defined)
    except Exception:  # a bug of ours: the program is run, which shows it
        return ObservedUnit(unit)


def _find_outcome(
    key: object,
    name: str,
    span: Span,
    units: tuple[Unit, ...],
    run: Callable[[], Outcome],
    answers: CurrentAnswers,
    share: int,
) -> JudgedOutcome:
    """Return one entry's outcome, remembered or new."""
    checkpoint()
    known = _MEMORY.recall(span.file, key, span, units, answers, share)
    return known if known is not None else _run_entry(name, span, units, run)


def _run_entry(name: str, span: Span, units: tuple[Unit, ...], run: Callable[[], Outcome]) -> JudgedOutcome:
    """Return one entry's new outcome. An internal error costs one function, never the file."""
    try:
        outcome = run()
    except Exception as error:
        words = f"internal error: {type(error).__name__}: {error}"
        outcome = Outcome(name, 0, span, incomplete=words, failed=True)
    return judge_outcome(outcome, units)


def _count_wasted_steps(outcome: Outcome) -> int:
    """Return the steps that were not enough."""
    return outcome.steps if outcome.incomplete else 0


def _judge_outcomes(all_of_it: Sequence[JudgedOutcome], units: Sequence[Unit]) -> tuple[Finding, ...]:
    """Return the findings of all entries, each with the severity that its evidence supports."""
    program, others = all_of_it[0], all_of_it[1:]
    ways = cache(partial(_find_ways, units, all_of_it))
    by_program = {place for place, _ in program.find_reached()}

    def is_known_better(outcome: Outcome, place: Span) -> bool:
        """Return whether visible calls reached `place`."""
        return place in (by_program if outcome.by_framework else ways(outcome.definition))

    callers = cache(partial(Callers, units))

    def weigh(finding: Finding, outcome: Outcome) -> Finding:
        weighed = _weigh_finding(finding, outcome, is_known_better(outcome, finding.span))
        if weighed.severity not in ("error", "warning") or finding.code in _WITHOUT_GRADIENTS:
            return weighed
        return (
            lower_to_hint(weighed, _ONLY_OFF) if callers().is_only_called_without_grad(outcome.definition) else weighed
        )

    weighed = [weigh(finding, entry.outcome) for entry in others for finding in entry.findings]
    return tuple(map(tell_conditions, merge_findings([*program.findings, *weighed])))


_WITHOUT_GRADIENTS = frozenset({"IP205", "IP206", "IP303", "IP401"})
"""What is wrong with grad mode off, too."""
_ONLY_OFF = "grad mode is off wherever this file calls the function"


def _find_ways(units: Sequence[Unit], entries: Sequence[JudgedOutcome], definition: int) -> frozenset[Span]:
    """Return the places that visible calls of the function reached, except those that other functions alone may have
    led to: a program that calls `test` and `train` may be cut before `train` reaches their common helper."""
    calls = [e for e in entries if definition in e.outcome.called and e.outcome.reached]
    if not calls:  # nearly all
        return frozenset()
    strangers = [e for e in entries if definition not in e.outcome.read and e.outcome.definition != definition]
    others = {way for stranger in strangers for way in stranger.find_reached()}
    strange = {stranger.outcome.definition for stranger in strangers}
    file = entries[0].outcome.span.file
    elsewhere = [entry.find_whole(file) for entry in find_entries(units) if id(entry.definition) in strange]
    return frozenset(
        way.place
        for entry in calls
        for way in entry.find_reached()
        if way not in others and not (way.call and any(whole.contains(way.call) for whole in elsewhere))
    )


def _weigh_finding(finding: Finding, outcome: Outcome, called: bool) -> Finding:
    """Return the finding as a hint if visible calls reached its place without it, or nothing ties it to gradients."""
    severity: Severity = finding.severity
    if severity == "information":  # says nothing about gradients
        return finding
    if called or (finding.assumptions and not outcome.evidence):
        severity = "hint"
    return replace(finding, severity=severity)


def _find_gaps(entry: JudgedOutcome) -> Iterator[NotAnalysed]:
    """Yield the reasons why an entry was not fully analysed: the calls that cost most, one by one."""
    outcome = entry.outcome
    if outcome.incomplete:
        cause = Cause.FAULT if outcome.failed else Cause.BUDGET
        yield NotAnalysed(outcome.function, entry.find_span(), outcome.incomplete, cause, entry.find_unreached())
        return
    if not outcome.unknowns:
        return
    texts: Counter[str] = Counter()
    for callee, calls in outcome.unknowns.items():
        texts[callee.text] += calls * callee.of_tensors
    for text, calls in texts.most_common(3):
        if calls:
            yield NotAnalysed(outcome.function, entry.find_span(), f"not known: {text}", Cause.UNKNOWN)


def _unknown_functions(outcome: Outcome) -> set[str]:
    """Return the library functions that take tensors, modules or optimizers, and whose result is used."""
    return {callee.name for callee, calls in outcome.unknowns.items() if callee.name and callee.used and calls}


def _report_broken(broken: Broken, filename: str) -> NotAnalysed:
    cause = Cause.SYNTAX if broken.is_syntax else Cause.UNREADABLE
    span = Span(filename, broken.row, 0, broken.end_row, 0)
    stopped = Span(filename, broken.stopped, 0, broken.stopped, 0)
    return NotAnalysed(broken.name or "a statement", span, broken.reason, cause, stopped=stopped)
