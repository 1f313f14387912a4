"""One call from source text to findings: the only door through which `lsp` and `cli` reach the analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from inplace_lsp.cancellation import checkpoint
from inplace_lsp.hazards.finding import Finding, Severity
from inplace_lsp.hazards.registry import findings, merge
from inplace_lsp.interpret.entries import Outcome, entries, run_function, run_program
from inplace_lsp.source.units import Source, read
from inplace_lsp.tape.model import Span, Tape


@dataclass(frozen=True, slots=True)
class NotAnalysed:
    """A function (or statement) that could not be analysed, or only in part, and why."""

    function: str
    span: Span
    reason: str
    partly: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that is known about one file.

    `functions` counts the functions and methods seen; those in `gaps` were analysed partly or not at all. `tapes` hold
    one tape an entry (function, method, or the module itself) and path.
    """

    findings: tuple[Finding, ...] = ()
    tapes: tuple[Tape, ...] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    functions: int = 0


def analyse(text: str, filename: str) -> Analysis:
    """Analyse the source `text` of `filename` (absolute; used for spans only, nothing is read). Never raises."""
    source = read(text)
    broken = [_broken(b.name, b.row, b.end_row, b.reason, filename) for b in source.broken]
    if not _speaks_of_torch(text):
        return Analysis(gaps=tuple(broken))
    outcomes = _outcomes(source, filename)
    gaps = [gap for outcome in outcomes if (gap := _gap(outcome)) is not None]
    return Analysis(
        _judge(outcomes),
        tuple(tape for outcome in outcomes for tape in outcome.tapes),
        (*broken, *gaps),
        len(outcomes) - 1,
    )


def _speaks_of_torch(text: str) -> bool:
    """A file that never says so has no tensors of torch to write."""
    return "torch" in text


def _outcomes(source: Source, filename: str) -> list[Outcome]:
    """The module as a program, then every function on its own."""
    program = partial(run_program, source.units, filename, checkpoint)
    outcomes = [_guarded("<module>", Span(filename, 1, 0, 1, 0), program)]
    for entry in entries(source.units):
        function = partial(run_function, entry, source.units, filename, checkpoint)
        outcomes.append(_guarded(entry.name, entry.span(filename), function))
    return outcomes


def _guarded(name: str, span: Span, run: Callable[[], Outcome]) -> Outcome:
    """A bug of ours costs one function, never the file."""
    checkpoint()
    try:
        return run()
    except Exception as error:
        return Outcome(name, 0, span, incomplete=f"internal error: {type(error).__name__}: {error}")


def _judge(outcomes: Sequence[Outcome]) -> tuple[Finding, ...]:
    """The findings of all entries, each with the severity its evidence is worth."""
    program = outcomes[0]
    called = set().union(*(outcome.called for outcome in outcomes))
    by_calls = list(_found(program))
    judged: list[Finding] = list(by_calls)
    for outcome in outcomes[1:]:
        for finding in _found(outcome):
            judged.append(_weighed(finding, outcome, outcome.definition in called))
    return merge(judged)


def _found(outcome: Outcome) -> Iterable[Finding]:
    return merge(finding for tape in outcome.tapes for finding in findings(tape))


def _weighed(finding: Finding, outcome: Outcome, called: bool) -> Finding:
    """A function judged on its own counts for less where calls in sight say more, or nothing ties it to gradients."""
    severity: Severity = finding.severity
    if called or (finding.assumptions and not outcome.evidence):
        severity = "hint"
    return replace(finding, severity=severity)


def _gap(outcome: Outcome) -> NotAnalysed | None:
    if outcome.incomplete:
        partly = not outcome.incomplete.startswith("internal error")
        return NotAnalysed(outcome.function, outcome.span, outcome.incomplete, partly)
    if outcome.unknowns:
        most = ", ".join(name for name, _ in outcome.unknowns.most_common(3))
        return NotAnalysed(outcome.function, outcome.span, f"not known: {most}", partly=True)
    return None


def _broken(name: str, row: int, end_row: int, reason: str, filename: str) -> NotAnalysed:
    return NotAnalysed(name or "a statement", Span(filename, row, 0, end_row, 0), reason, partly=False)
