"""Weigh the findings of a file's entries against each other: what visible calls show is known better than inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial

from inplace_lsp.hazards import evidence
from inplace_lsp.hazards.assumptions import lower_to_hint
from inplace_lsp.hazards.finding import Finding, Severity
from inplace_lsp.hazards.hazard import Hazard
from inplace_lsp.hazards.merge import append_conditions, append_refusal, merge_findings
from inplace_lsp.hazards.registry import is_hazard
from inplace_lsp.interpret.entries.callers import Callers
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.entries.reached_places import ReachedPlaces
from inplace_lsp.memory import JudgedOutcome
from inplace_lsp.outcomes import note_fault
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span
from inplace_lsp.tape.names import OTHER_OPTIONS, TESTED

_ONLY_OFF = "grad mode is off wherever this file calls the function"

_ONLY_DEFAULTS = "the program's own objects are made with the defaults"


def weigh_findings(entries: Sequence[JudgedOutcome], units: Sequence[Unit]) -> tuple[Finding, ...]:
    """Return the findings of all entries, each with the severity that its evidence supports."""
    program = entries[0]
    called = {definition for entry in entries if entry.outcome.reached for definition in entry.outcome.called}
    index = cache(partial(_index_ways, units, entries))
    ways = cache(lambda definition: index().find_places(definition) if definition in called else frozenset())
    by_program = {place for place, _ in program.find_reached()}

    def is_known_better(outcome: Outcome, place: Span) -> bool:
        """Return whether visible calls reached `place`; those of a program that was followed to its end by any way."""
        if place in by_program and (outcome.by_framework or _is_called_by(program.outcome, outcome)):
            return True
        return not outcome.by_framework and place in ways(outcome.definition)

    callers = cache(partial(Callers, units))

    def weigh(finding: Finding, outcome: Outcome) -> Finding:
        weighed = _weigh_finding(finding, outcome, is_known_better(outcome, finding.span))
        may_be_left_out = bool(finding.conditions) and weighed.severity in ("error", "warning")
        if may_be_left_out and _is_called_by(program.outcome, outcome):
            weighed = _weigh_left_out(weighed, callers().find_definition(outcome.definition))
        if weighed.severity == "warning" and _needs_options(weighed) and _is_called_by(program.outcome, outcome):
            weighed = lower_to_hint(weighed, _ONLY_DEFAULTS)
        if weighed.severity not in ("error", "warning") or not is_hazard(finding.code, _needs_gradients):
            return weighed
        return (
            lower_to_hint(weighed, _ONLY_OFF) if callers().is_only_called_without_grad(outcome.definition) else weighed
        )

    def weigh_entry(entry: JudgedOutcome) -> list[Finding]:
        if entry is program:
            return list(entry.findings)
        outcome = entry.outcome
        return [
            weigh(found, outcome)
            for found in entry.findings
            if not (_is_doubted(found) and is_known_better(outcome, found.span))
        ]

    weighed = [(entry, _do_for_entry(entry, partial(weigh_entry, entry), entry.findings)) for entry in entries]
    try:
        merged = merge_findings([finding for _, found in weighed for finding in found])
    except Exception:  # a bug of ours: each entry by itself, so that it costs one
        merged = tuple(
            finding for entry, found in weighed for finding in _do_for_entry(entry, partial(merge_findings, found), ())
        )
    return tuple(map(_append_conditions, merged))


def _do_for_entry(
    entry: JudgedOutcome, work: Callable[[], Iterable[Finding]], otherwise: Iterable[Finding]
) -> Iterable[Finding]:
    """Return what `work` returns; after an internal error, which is noted as the entry's, return `otherwise`."""
    try:
        return work()
    except Exception as error:
        note_fault(entry, error)
        return otherwise


def _append_conditions(finding: Finding) -> Finding:
    try:
        return append_refusal(append_conditions(finding))
    except Exception:  # a bug of ours costs the conditions, not the finding
        return finding


def _needs_gradients(hazard: Hazard) -> bool:
    return hazard.needs_gradients


def _index_ways(units: Sequence[Unit], entries: Sequence[JudgedOutcome]) -> ReachedPlaces:
    return ReachedPlaces(units, [(entry.outcome, entry.find_reached()) for entry in entries])


def _is_doubted(finding: Finding) -> bool:
    """Return whether nothing but implausible assumptions makes the finding: where a visible call contradicts them, too,
    nothing is left of it."""
    return finding.severity == "hint" and bool(finding.assumptions)


def _needs_options(finding: Finding) -> bool:
    """Return whether a finding rests on options that are off by default."""
    return any(assumed.endswith(OTHER_OPTIONS) for assumed in finding.assumptions)


def _is_called_by(program: Outcome, outcome: Outcome) -> bool:
    """Return whether the program calls the function, and all of the program was followed."""
    return outcome.definition in program.called and not program.incomplete


def _weigh_left_out(finding: Finding, definition: ir.FunctionDef | None) -> Finding:
    """Return the finding as a warning if it needs an optional argument: the program was followed, and its calls of the
    function did not come to the place, so they leave the argument out."""
    for parameter in definition.parameters if definition is not None else ():
        is_none = isinstance(parameter.default, ir.Const) and parameter.default.value is None
        if is_none and f"{parameter.name} is not None" in finding.conditions:
            assumed = (*finding.assumptions, f"a caller passes `{parameter.name}`")
            said = f"{finding.message} The program's own calls leave `{parameter.name}` out."
            return replace(finding, severity="warning", assumptions=assumed, message=said)
    return finding


def _weigh_finding(finding: Finding, outcome: Outcome, called: bool) -> Finding:
    """Return the finding as a hint if visible calls reached its place without it, or nothing ties it to gradients."""
    severity: Severity = finding.severity
    if severity == "information":  # says nothing about gradients
        return finding
    if TESTED in finding.assumptions:  # a call of the test itself walks nothing either
        called = False
    if called or (finding.assumptions and not (outcome.evidence or evidence.is_objective(outcome.function))):
        severity = "hint"
    return replace(finding, severity=severity)
