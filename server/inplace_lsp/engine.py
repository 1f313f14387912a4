"""Analyse source text and return findings: the only access of `lsp` and `cli` to the analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache, partial

from inplace_lsp.analysis import Analysis, Cause, Early, NotAnalysed
from inplace_lsp.cancellation import Abandoned, checkpoint
from inplace_lsp.interpret.autograd.ledger import Ledger
from inplace_lsp.interpret.entries.drivers import find_heirs, run_driver
from inplace_lsp.interpret.entries.entries import PROGRAM, run_function, run_program
from inplace_lsp.interpret.entries.entry import find_entries
from inplace_lsp.interpret.entries.fixtures import ClassFixtures
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.entries.tensors_in_sight import has_tensors_in_sight
from inplace_lsp.interpret.state.facts import NO_FACTS, Facts, ParameterQuestion, TorchQuestion
from inplace_lsp.interpret.state.signatures import forget_plans
from inplace_lsp.memory import AnalysisMemory, JudgedOutcome
from inplace_lsp.outcomes import FileRun, list_outcomes
from inplace_lsp.python_frames import keep_frames_in_one_block
from inplace_lsp.severity import weigh_findings
from inplace_lsp.source import functions, locate
from inplace_lsp.source.functions import Enclosing
from inplace_lsp.source.locate import Found
from inplace_lsp.source.parsed import Broken
from inplace_lsp.source.units import Source, Unit, read_source
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.move import MovedTapes
from inplace_lsp.tape.training import Training
from inplace_lsp.torch_ops.table import torch_version, use_release


@keep_frames_in_one_block
def analyse_source(
    text: str, filename: str, facts: Facts = NO_FACTS, last: Analysis | None = None, early: Early | None = None
) -> Analysis:
    """Analyse the source `text` of `filename` (absolute; used for spans only, nothing is read).

    Raises `Abandoned` where the caller has said when to stop, and nothing else.

    `facts` are known besides the text. With them there may be findings in other files: a call in this file can make a
    write there a hazard.

    `last`: somebody types the text; this is its last analysis, an empty one if there was none. A statement that does
    not parse keeps the meaning that it had there, without the findings in its lines that have changed since.

    `early` receives a first analysis once the edited functions are judged, if judging the others again takes long. That
    analysis has the earlier findings of the others.
    """
    with use_release(facts.find_torch_release(TorchQuestion(filename))):
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

    run = FileRun(source, filename, facts, _MEMORY)
    try:
        run.find_outcomes(tell_early if early is not None else None)
    except Abandoned:  # by an edit of a file that was just opened, say: the next analysis need not begin anew
        if run.found and _MEMORY.last_source(filename) is None:
            _MEMORY.store(filename, source, run.found)
        raise
    _MEMORY.store(filename, source, run.found)
    return _put_together(list_outcomes(run.found), source, filename, facts)


def _put_together(judged: Sequence[JudgedOutcome], source: Source, filename: str, facts: Facts) -> Analysis:
    """Return the analysis of a file of whose entries all is known; the program is the first."""
    broken = [_report_broken(part, filename) for part in source.broken]
    functions = [entry for entry in judged[1:] if not entry.outcome.by_framework]
    counted = (judged[0], *functions)
    unknown = Counter(name for entry in counted for name in _unknown_functions(entry.outcome))
    found = [
        finding for finding in weigh_findings(judged, source.units) if not _is_unread(finding.span, filename, source)
    ]
    return Analysis(
        findings=tuple(finding for finding in found if finding.severity != "information" and not finding.negligible),
        negligible=tuple(finding for finding in found if finding.negligible),
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
    with use_release(facts.find_torch_release(TorchQuestion(filename))):
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
    with use_release(facts.find_torch_release(TorchQuestion(filename))):
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
    """Return the units of a text, cached: several questions are asked about one place."""
    return read_source(text).units


_MEMORY = AnalysisMemory()
"""Makes an edit cost only what it changed: an analysis is a pure function of the text, whatever is remembered."""


def forget_files() -> None:
    """Forget the files analysed so far, and what is known of their functions."""
    _MEMORY.forget_files()
    forget_plans()


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
