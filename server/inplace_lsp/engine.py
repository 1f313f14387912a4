"""One call from source text to findings: the only door through which `lsp` and `cli` reach the analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from inplace_lsp.analysis import Analysis, NotAnalysed
from inplace_lsp.cancellation import checkpoint
from inplace_lsp.hazards.assumptions import lower
from inplace_lsp.hazards.finding import Finding, Severity
from inplace_lsp.hazards.merge import merge
from inplace_lsp.interpret.entries.budget import share_after
from inplace_lsp.interpret.entries.callers import Callers
from inplace_lsp.interpret.entries.drivers import heirs, run_driver
from inplace_lsp.interpret.entries.entries import Outcome, entries, run_function, run_program
from inplace_lsp.interpret.entries.tensors_in_sight import has_tensors_in_sight
from inplace_lsp.interpret.entries.worlds import Worlds
from inplace_lsp.interpret.state.facts import NO_FACTS, Facts, ParameterQuestion
from inplace_lsp.memory import Judged, Memory, judged
from inplace_lsp.source import functions
from inplace_lsp.source.functions import Enclosing
from inplace_lsp.source.units import Source, Unit, read
from inplace_lsp.tape.model import Span


def analyse(text: str, filename: str, facts: Facts = NO_FACTS) -> Analysis:
    """Analyse the source `text` of `filename` (absolute; used for spans only, nothing is read). Never raises.

    `facts` are what the text alone does not tell. With them there may be findings in other files, for writes there that
    a call from here makes hazards.
    """
    source = read(text, _MEMORY.source(filename))
    broken = [_broken(b.name, b.row, b.end_row, b.reason, filename) for b in source.broken]
    if not has_tensors_in_sight(text, filename, source.units, facts):
        return Analysis(gaps=tuple(broken))
    known = _outcomes(source, filename, facts)
    _MEMORY.store(filename, source, known)
    all_of_it = list(known.values())
    functions = [one for one in all_of_it[1:] if not one.outcome.by_framework]
    counted = [one.outcome for one in (all_of_it[0], *functions)]
    gaps = [gap for one in counted for gap in _gaps(one)]
    unknown = Counter(name for one in counted for name in _unknown_functions(one))
    tapes = tuple(tape for one in all_of_it for tape in one.outcome.tapes)
    questions = (question for one in all_of_it for question in one.outcome.answers)
    wanted = tuple(sorted({q for q in questions if isinstance(q, ParameterQuestion) and q.file == filename}))
    found = _judge(all_of_it, source.units)
    remarks = tuple(one for one in found if one.severity == "information")
    findings = tuple(one for one in found if one.severity != "information")
    return Analysis(findings, tapes, (*broken, *gaps), len(functions), wanted, remarks, tuple(sorted(unknown.items())))


def function_at(text: str, row: int) -> Enclosing | None:
    """The innermost function around the statement on `row`; None if it belongs to no function."""
    return functions.function_at(read(text).units, row)


_MEMORY = Memory()
"""Makes an edit cost only what it changed: an analysis is a pure function of the text, whatever is remembered."""


def _outcomes(source: Source, filename: str, facts: Facts) -> dict[object, Judged]:
    """The module as a program, then every function on its own; what an edit left valid is taken from the last time."""
    units = source.units
    worlds = Worlds(filename, units)
    program = partial(run_program, units, filename, checkpoint, facts, worlds)
    found: dict[object, Judged] = {"": _outcome("", "<module>", Span(filename, 1, 0, 1, 0), units, program, facts, 1)}
    in_vain = 0
    for entry in entries(units):
        key: object = (entry.name, id(entry.definition))
        while key in found:  # the very same text twice
            key = (key, "again")
        share = share_after(in_vain)
        run = partial(run_function, entry, filename, checkpoint, facts, worlds, share)
        found[key] = _outcome(key, entry.name, entry.span(filename), units, run, facts, share)
        in_vain += _steps_in_vain(found[key].outcome)
    known = found[""].outcome
    for heir in heirs(units):
        if heir.path[-1] in known.driven and not known.incomplete:  # the program does it itself
            continue
        key = ("class", heir.name)
        while key in found:
            key = (key, "again")
        share = share_after(in_vain)
        run = partial(run_driver, heir, filename, checkpoint, facts, worlds, share)
        found[key] = _outcome(key, heir.name, heir.span(filename), units, run, facts, share)
        in_vain += _steps_in_vain(found[key].outcome)
    worlds.close()
    return found


def _outcome(
    key: object, name: str, span: Span, units: tuple[Unit, ...], run: Callable[[], Outcome], facts: Facts, share: int
) -> Judged:
    """One entry's outcome, remembered or new. A bug of ours costs one function, never the file."""
    checkpoint()
    known = _MEMORY.recall(span.file, key, span, units, facts, share)
    if known is not None:
        return known
    try:
        outcome = run()
    except Exception as error:
        outcome = Outcome(name, 0, span, incomplete=f"internal error: {type(error).__name__}: {error}")
    return judged(outcome, units)


def _steps_in_vain(outcome: Outcome) -> int:
    """Return the steps that did not suffice."""
    return outcome.steps if outcome.incomplete else 0


def _judge(all_of_it: Sequence[Judged], units: Sequence[Unit]) -> tuple[Finding, ...]:
    """The findings of all entries, each with the severity its evidence is worth."""
    program, others = all_of_it[0], all_of_it[1:]
    ways = cache(partial(_find_ways, [one.outcome for one in all_of_it]))
    by_program = {place for place, _ in program.outcome.reached}

    def is_known_better(outcome: Outcome, place: Span) -> bool:
        """Whether calls in sight came as far as `place`."""
        return place in (by_program if outcome.by_framework else ways(outcome.definition))

    callers = cache(partial(Callers, units))

    def weigh(finding: Finding, outcome: Outcome) -> Finding:
        weighed = _weighed(finding, outcome, is_known_better(outcome, finding.span))
        if weighed.severity not in ("error", "warning") or finding.code in _WITHOUT_GRADIENTS:
            return weighed
        return lower(weighed, _ONLY_OFF) if callers().only_without_grad(outcome.definition) else weighed

    weighed = [weigh(finding, one.outcome) for one in others for finding in one.findings]
    return merge([*program.findings, *weighed])


_WITHOUT_GRADIENTS = frozenset({"IP205", "IP206", "IP303", "IP401"})
"""What is wrong with grad mode off, too."""
_ONLY_OFF = "grad mode is off wherever this file calls the function"


def _find_ways(outcomes: Sequence[Outcome], definition: int) -> frozenset[Span]:
    """Return the places that calls of the function in sight came as far as, less those to which other functions alone
    may have led: a program that calls `test` and `train` may be cut before `train` comes to the helper of both."""
    others = {
        way for one in outcomes if definition not in one.read and one.definition != definition for way in one.reached
    }
    return frozenset(
        way.place for one in outcomes if definition in one.called for way in one.reached if way not in others
    )


def _weighed(finding: Finding, outcome: Outcome, called: bool) -> Finding:
    """A function judged on its own counts for less where calls in sight say more (they came as far as what was found),
    or nothing ties it to gradients."""
    severity: Severity = finding.severity
    if severity == "information":  # says nothing about gradients
        return finding
    if called or (finding.assumptions and not outcome.evidence):
        severity = "hint"
    return replace(finding, severity=severity)


def _gaps(outcome: Outcome) -> Iterator[NotAnalysed]:
    """Why an entry was not analysed whole, if it was not: the calls that most is lost with, each by itself."""
    if outcome.incomplete:
        partly = not outcome.incomplete.startswith("internal error")
        yield NotAnalysed(outcome.function, outcome.span, outcome.incomplete, partly, partly, outcome.unreached)
        return
    texts: Counter[str] = Counter()
    for callee, calls in outcome.unknowns.items():
        texts[callee.text] += calls * callee.of_tensors
    for text, calls in texts.most_common(3):
        if calls:
            yield NotAnalysed(outcome.function, outcome.span, f"not known: {text}", partly=True)


def _unknown_functions(outcome: Outcome) -> set[str]:
    """The library functions that got tensors, modules or optimizers, and whose result is used."""
    return {callee.name for callee, calls in outcome.unknowns.items() if callee.name and callee.used and calls}


def _broken(name: str, row: int, end_row: int, reason: str, filename: str) -> NotAnalysed:
    return NotAnalysed(name or "a statement", Span(filename, row, 0, end_row, 0), reason, partly=False)
