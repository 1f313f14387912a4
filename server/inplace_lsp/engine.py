"""Analyse source text and return findings: the only access of `lsp` and `cli` to the analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial

from inplace_lsp.analysis import Analysis, Cause, Early, NotAnalysed
from inplace_lsp.cancellation import Abandoned, checkpoint
from inplace_lsp.hazards.assumptions import lower_to_hint
from inplace_lsp.hazards.finding import Finding, Severity
from inplace_lsp.hazards.merge import merge_findings, tell_conditions, tell_refusal
from inplace_lsp.interpret.autograd.ledger import Ledger
from inplace_lsp.interpret.entries.budget import share_after
from inplace_lsp.interpret.entries.callers import Callers
from inplace_lsp.interpret.entries.drivers import Heir, find_heirs, run_driver
from inplace_lsp.interpret.entries.entries import PROGRAM, run_function, run_program
from inplace_lsp.interpret.entries.entry import find_entries
from inplace_lsp.interpret.entries.fixtures import ClassFixtures
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.entries.program import find_program_span
from inplace_lsp.interpret.entries.quiet_units import Definitions, ObservedUnit, note_typing, observe_unit
from inplace_lsp.interpret.entries.tensors_in_sight import has_tensors_in_sight
from inplace_lsp.interpret.entries.ways import Ways
from inplace_lsp.interpret.state.facts import NO_FACTS, CurrentAnswers, Facts, ParameterQuestion, TorchQuestion
from inplace_lsp.memory import AnalysisMemory, JudgedOutcome, judge_outcome, outdate_outcome
from inplace_lsp.python_frames import keep_frames_in_one_block
from inplace_lsp.source import functions, locate
from inplace_lsp.source.functions import Enclosing
from inplace_lsp.source.lines import MatchedLines
from inplace_lsp.source.locate import Found
from inplace_lsp.source.parsed import Broken
from inplace_lsp.source.typed_text import Path, find_typed_text
from inplace_lsp.source.units import Source, Unit, read_source
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.move import MovedTapes
from inplace_lsp.tape.training import Training
from inplace_lsp.telling import tell_share
from inplace_lsp.torch_ops.table import torch_version, use_release

STEPS_WORTH_A_WORD = 2_000
"""If what depends on an edit took so many steps before, the edited function's findings are told first."""
FEW = 8
"""If more functions are new, as after a paste or an analysis that was ended, all is told at once."""


@keep_frames_in_one_block
def analyse_source(
    text: str, filename: str, facts: Facts = NO_FACTS, last: Analysis | None = None, early: Early | None = None
) -> Analysis:
    """Analyse the source `text` of `filename` (absolute; used for spans only, nothing is read). Never raises.

    `facts` are known besides the text. With them there may be findings in other files: a call in this file can make a
    write there a hazard.

    `last`: somebody types the text; this is its last analysis, an empty one if there was none. A statement that does
    not parse keeps the meaning that it had there, without the findings in its lines that have changed since.

    `early`: is told what is known once the edited functions are judged, if others have to be judged again that take
    long. Of those it says what was found before the edit.
    """
    with use_release(facts.torch(TorchQuestion(filename))):
        source = read_source(text, _MEMORY.last_source(filename), last.pieces if last is not None else ())
        found = _analyse_units(text, source, filename, facts, early)
        if last is not None:
            found = replace(found, pieces=source.pieces, code=tuple(unit.statements for unit in source.units))
        return replace(found, torch=torch_version())


def _analyse_units(text: str, source: Source, filename: str, facts: Facts, early: Early | None) -> Analysis:
    if not has_tensors_in_sight(text, filename, source.units, facts):
        return Analysis(gaps=tuple(_report_broken(part, filename) for part in source.broken))

    def tell_early(judged: Sequence[JudgedOutcome]) -> None:
        if early is not None:
            early(_put_together(judged, source, filename, facts))

    known: dict[object, JudgedOutcome] = {}
    try:
        _find_outcomes(source, filename, facts, known, tell_early if early is not None else None)
    except Abandoned:  # by an edit of a file that was just opened, say: the next analysis need not begin anew
        if known and _MEMORY.last_source(filename) is None:
            _MEMORY.store(filename, source, known)
        raise
    _MEMORY.store(filename, source, known)
    return _put_together(_list_outcomes(known), source, filename, facts)


def _put_together(judged: Sequence[JudgedOutcome], source: Source, filename: str, facts: Facts) -> Analysis:
    """Return the analysis of a file of whose entries all is known; the program is the first."""
    broken = [_report_broken(part, filename) for part in source.broken]
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
    """Yield the name and the run of each function, the module as a program and framework-driven classes included. What
    can show no hazard runs as well: a repaired function is one."""
    if PROGRAM in functions:
        yield PROGRAM, partial(run_program, units, filename, checkpoint, facts, fixtures)
    for entry in find_entries(units):
        if entry.name in functions:
            yield entry.name, partial(run_function, entry, filename, checkpoint, facts, fixtures, 1, even_inert=True)
    for heir in find_heirs(units):
        if heir.name in functions:
            yield heir.name, partial(run_driver, heir, filename, checkpoint, facts, fixtures, 1)


def function_at(text: str, row: int) -> Enclosing | None:
    """Return the innermost function around the statement on `row`; None outside all functions."""
    return functions.find_function_at(_read_units(text), row)


def tapes_at(text: str, filename: str, row: int, facts: Facts = NO_FACTS) -> tuple[Tape, ...]:
    """Return the tapes of the function around `row`, which the analysis did not run because it shows no hazard."""
    with use_release(facts.torch(TorchQuestion(filename))):
        return _find_tapes_at(text, filename, row, facts)


def _find_tapes_at(text: str, filename: str, row: int, facts: Facts) -> tuple[Tape, ...]:
    units = _read_units(text)
    around = functions.find_function_at(units, row)
    named = [
        entry for entry in find_entries(units) if around is not None and entry.find_span(filename).row == around.row
    ]
    if not named:
        return ()
    fixtures = ClassFixtures(filename, units)
    try:
        return tuple(run_function(named[0], filename, checkpoint, facts, fixtures, 1, even_inert=True).tapes)
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


def forget_files() -> None:
    """Forget the files analysed so far."""
    _MEMORY.forget_files()


@dataclass(frozen=True, slots=True)
class _Function:
    """A function to be judged: its key in the memory and its run with a share of the budget."""

    key: object
    name: str
    definition: int
    span: Span
    run: Callable[..., Outcome]


@dataclass(frozen=True, slots=True)
class _WholeRun:
    """The key of the run of a function that usually only its delegates are judged for."""

    key: object


def _list_functions(
    units: tuple[Unit, ...], filename: str, facts: Facts, fixtures: ClassFixtures
) -> Iterator[_Function]:
    number = _Numbers()
    for entry in find_entries(units):
        key = number.make_key(entry.name, id(entry.definition))
        run = partial(run_function, entry, filename, checkpoint, facts, fixtures)
        yield _Function(key, entry.name, id(entry.definition), entry.find_span(filename), run)


def _find_outcomes(
    source: Source,
    filename: str,
    facts: Facts,
    found: dict[object, JudgedOutcome],
    early: Callable[[Sequence[JudgedOutcome]], None] | None,
) -> None:
    """Put into `found` the outcomes of the module as a program and of every function; reuse those that an edit left
    valid."""
    units = source.units
    fixtures = ClassFixtures(filename, units)
    answers = CurrentAnswers(facts, _MEMORY.list_answers(filename))
    functions = list(_list_functions(units, filename, facts, fixtures))
    known = _judge_edited(functions, source, filename, answers, early) if early is not None else {}
    found[""] = _find_outcome_of_program(units, filename, facts, answers, fixtures)
    spent = _Spent()
    for at, function in enumerate(functions, start=1):
        tell_share(at / (len(functions) + 1))
        share = spent.find_share()
        first = known.get(function.key)
        if first is None or first.outcome.share not in (0, share):
            run = partial(function.run, share)
            first = _find_outcome(function.key, function.name, function.span, units, run, answers, share)
        found[function.key] = first
        spent.note_outcome(first.outcome)
    _run_callers_of_findings(functions, units, answers, found, spent.find_share())
    program = found[""].outcome
    for key, heir in _list_heirs(units):
        if heir.path[-1] in program.driven and not program.incomplete:  # the program does it itself
            continue
        share = spent.find_share()
        run = partial(run_driver, heir, filename, checkpoint, facts, fixtures, share)
        found[key] = _find_outcome(key, heir.name, heir.find_span(filename), units, run, answers, share)
        spent.note_outcome(found[key].outcome)
    fixtures.release_machine()


def _run_callers_of_findings(
    functions: Sequence[_Function],
    units: tuple[Unit, ...],
    answers: CurrentAnswers,
    found: dict[object, JudgedOutcome],
    share: int,
) -> None:
    """Run the functions that only hand on to one with findings: a call may show that they do no harm there."""
    called = {judged.outcome.definition: judged.outcome.called for judged in found.values()}
    with_findings = {judged.outcome.definition for judged in found.values() if judged.findings}
    for function in functions:
        delegates = found[function.key].outcome.delegates
        if any(not with_findings.isdisjoint({delegate, *called.get(delegate, ())}) for delegate in delegates):
            whole = _WholeRun(function.key)
            run = partial(function.run, share, even_inert=True)
            found[whole] = _find_outcome(whole, function.name, function.span, units, run, answers, share)


def _list_outcomes(found: Mapping[object, JudgedOutcome]) -> list[JudgedOutcome]:
    """Return the outcome of each entry, that of its whole run if there was one."""
    return [found.get(_WholeRun(key), judged) for key, judged in found.items() if not isinstance(key, _WholeRun)]


def _judge_edited(
    functions: Sequence[_Function],
    source: Source,
    filename: str,
    answers: CurrentAnswers,
    early: Callable[[Sequence[JudgedOutcome]], None],
) -> dict[object, JudgedOutcome]:
    """Judge the functions whose own text was edited before all that depends on them, and tell what is known then, if
    the others take long. Return the outcomes that are certain by now."""
    before, former = _MEMORY.last_source(filename), _MEMORY.list_outcomes(filename)
    edited = [function for function in functions if function.key not in former]
    if before is None or not 0 < len(edited) <= FEW:
        return {}
    found = _recall_all(functions, source.units, filename, answers, former)
    keys = [function.key for function in functions]
    present = {"", *keys, *map(_WholeRun, keys), *(key for key, _ in _list_heirs(source.units))}
    waiting = {key: old for key, old in former.items() if key in present and key not in found}
    if sum(old.outcome.steps for old in waiting.values()) < STEPS_WORTH_A_WORD:
        return found
    for function in edited:
        checkpoint()
        found[function.key] = _run_entry(function.name, function.span, source.units, partial(function.run, 1))
    new = {function.name: function.definition for function in edited}
    renamed = {old.outcome.definition: new[name] for old in former.values() if (name := old.outcome.function) in new}
    lines = MatchedLines(before.list_lines(), source.list_lines())
    known = found | {key: outdate_outcome(old, lines, renamed) for key, old in waiting.items()}
    early(_list_outcomes({"": known.pop(""), **known}))
    return found


def _recall_all(
    functions: Sequence[_Function],
    units: tuple[Unit, ...],
    filename: str,
    answers: CurrentAnswers,
    former: Mapping[object, JudgedOutcome],
) -> dict[object, JudgedOutcome]:
    """Return the outcomes of the program, the functions and the classes that an edit left valid, by their keys."""
    wanted: list[tuple[object, Span, int]] = [("", find_program_span(filename), 1)]
    spent = _Spent()
    for function in functions:
        wanted.append((function.key, function.span, spent.find_share()))
        if function.key in former:
            spent.note_outcome(former[function.key].outcome)
    wanted += [(key, heir.find_span(filename), spent.find_share()) for key, heir in _list_heirs(units)]
    recalled = ((key, _recall(key, span, units, answers, share)) for key, span, share in wanted)
    return {key: known for key, known in recalled if known is not None}


def _list_heirs(units: tuple[Unit, ...]) -> Iterator[tuple[object, Heir]]:
    """Yield the classes that frameworks call, with their keys in the memory."""
    number = _Numbers()
    for heir in find_heirs(units):
        yield number.make_key("class", heir.name), heir


class _Numbers:
    """Makes keys: of the very same text several times in a file, each has a number."""

    def __init__(self) -> None:
        self._seen: Counter[object] = Counter()

    def make_key(self, *parts: object) -> object:
        """Return a key that no earlier call has returned."""
        self._seen[parts] += 1
        return (*parts, self._seen[parts])


def _find_outcome_of_program(
    units: tuple[Unit, ...], filename: str, facts: Facts, answers: CurrentAnswers, fixtures: ClassFixtures
) -> JudgedOutcome:
    """Return the outcome of the module as a program. If only the values of names have changed that nobody asks for, it
    is the former one, as long as the unit that binds them does nothing else than before."""
    span = find_program_span(filename)
    run = partial(run_program, units, filename, checkpoint, facts, fixtures)
    try:
        edited = _MEMORY.find_rebinding(filename, "", span, units, answers)
    except Exception:  # a bug of ours: the program is run, which shows it
        edited = None
    if edited is None:
        return _find_outcome("", PROGRAM, span, units, run, answers, 1)
    before = edited.find_observed()
    if before is not None and before.effects is None:
        return replace(_run_entry(PROGRAM, span, units, run), observed=before)
    typed = find_typed_text(edited.before.statements, edited.now.statements)
    if before is not None and before.any_text and before.typed == typed:
        return replace(edited.known, observed=replace(before, unit=edited.now))
    now = _observe_unit(edited.now, units, facts, fixtures, edited.find_definitions())
    if now.effects is not None:
        before = before or _observe_unit(edited.before, edited.units, facts, fixtures, now.defined)
        if now.effects == before.effects:
            return replace(edited.known, observed=_note_typing(now, before, typed, units, facts, fixtures))
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


def _note_typing(
    now: ObservedUnit,
    before: ObservedUnit,
    typed: Path | None,
    units: tuple[Unit, ...],
    facts: Facts,
    fixtures: ClassFixtures,
) -> ObservedUnit:
    """Return what is known of a unit, see `note_typing`."""
    checkpoint()
    try:
        return note_typing(now, before, typed, units, facts, fixtures.runner)
    except Exception:  # a bug of ours: the next text is observed anew
        return now


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
    known = _recall(key, span, units, answers, share)
    return known if known is not None else _run_entry(name, span, units, run)


def _recall(
    key: object, span: Span, units: tuple[Unit, ...], answers: CurrentAnswers, share: int
) -> JudgedOutcome | None:
    """Return one entry's outcome if it is remembered and still holds."""
    try:
        return _MEMORY.recall(span.file, key, span, units, answers, share)
    except Exception:  # a bug of ours: it is found anew, which shows it
        return None


def _run_entry(name: str, span: Span, units: tuple[Unit, ...], run: Callable[[], Outcome]) -> JudgedOutcome:
    """Return one entry's new outcome. An internal error costs one function, never the file."""
    try:
        return judge_outcome(run(), units)
    except Exception as error:
        failed = JudgedOutcome(Outcome(name, 0, span), (), units)
        _note_fault(failed, error)
        return failed


def _note_fault(entry: JudgedOutcome, error: Exception) -> None:
    """Note an internal error in the outcome of the entry that it has cost something."""
    words = str(error)
    words = words if len(words) <= _MOST_SAID else f"{words[:_MOST_SAID]} ..."
    entry.outcome.incomplete, entry.outcome.failed = f"internal error: {type(error).__name__}: {words}", True


_MOST_SAID = 300
"""Characters of an error's message: it may quote what it met."""


class _Spent:
    """The steps that the entries of a file have taken so far, and those that were not enough for their entries."""

    def __init__(self) -> None:
        self._steps = self._in_vain = 0

    def note_outcome(self, outcome: Outcome) -> None:
        """Count what an entry has taken."""
        self._steps += outcome.steps
        self._in_vain += outcome.steps if outcome.incomplete else 0

    def find_share(self) -> int:
        """Return the divisor of the next entry's budget."""
        return share_after(self._in_vain, self._steps)


def _judge_outcomes(all_of_it: Sequence[JudgedOutcome], units: Sequence[Unit]) -> tuple[Finding, ...]:
    """Return the findings of all entries, each with the severity that its evidence supports."""
    program = all_of_it[0]
    called = {definition for entry in all_of_it if entry.outcome.reached for definition in entry.outcome.called}
    index = cache(partial(_index_ways, units, all_of_it))
    ways = cache(lambda definition: index().find_places(definition) if definition in called else frozenset())
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

    def weigh_entry(entry: JudgedOutcome) -> list[Finding]:
        return list(entry.findings if entry is program else (weigh(found, entry.outcome) for found in entry.findings))

    weighed = [(entry, _do_for_entry(entry, partial(weigh_entry, entry), entry.findings)) for entry in all_of_it]
    try:
        merged = merge_findings([finding for _, found in weighed for finding in found])
    except Exception:  # a bug of ours: each entry by itself, so that it costs one
        merged = tuple(
            finding for entry, found in weighed for finding in _do_for_entry(entry, partial(merge_findings, found), ())
        )
    return tuple(map(_tell_conditions, merged))


def _do_for_entry(
    entry: JudgedOutcome, work: Callable[[], Iterable[Finding]], otherwise: Iterable[Finding]
) -> Iterable[Finding]:
    """Return what `work` returns; after an internal error, which is noted as the entry's, return `otherwise`."""
    try:
        return work()
    except Exception as error:
        _note_fault(entry, error)
        return otherwise


def _tell_conditions(finding: Finding) -> Finding:
    try:
        return tell_refusal(tell_conditions(finding))
    except Exception:  # a bug of ours costs the conditions, not the finding
        return finding


_WITHOUT_GRADIENTS = frozenset({"IP205", "IP206", "IP303", "IP401"})
"""What is wrong with grad mode off, too."""
_ONLY_OFF = "grad mode is off wherever this file calls the function"


def _index_ways(units: Sequence[Unit], entries: Sequence[JudgedOutcome]) -> Ways:
    return Ways(units, [(entry.outcome, entry.find_reached()) for entry in entries])


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
        why = f"{outcome.incomplete}{_OF_FILE}" if outcome.share > 1 and not outcome.failed else outcome.incomplete
        yield NotAnalysed(outcome.function, entry.find_span(), why, cause, entry.find_unreached())
        return
    if not outcome.unknowns:
        return
    texts: Counter[str] = Counter()
    for callee, calls in outcome.unknowns.items():
        texts[callee.text] += calls * callee.of_tensors
    for text, calls in texts.most_common(3):
        if calls:
            yield NotAnalysed(outcome.function, entry.find_span(), f"not known: {text}", Cause.UNKNOWN)


_OF_FILE = "; the functions above it have spent most of the file's budget"


def _unknown_functions(outcome: Outcome) -> set[str]:
    """Return the library functions that take tensors, modules or optimizers, and whose result is used."""
    return {callee.name for callee, calls in outcome.unknowns.items() if callee.name and callee.used and calls}


def _report_broken(broken: Broken, filename: str) -> NotAnalysed:
    cause = Cause.SYNTAX if broken.is_syntax else Cause.UNREADABLE
    span = Span(filename, broken.row, 0, broken.end_row, 0)
    stopped = Span(filename, broken.stopped, 0, broken.stopped, 0)
    return NotAnalysed(broken.name or "a statement", span, broken.reason, cause, stopped=stopped)
