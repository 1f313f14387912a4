"""Weigh the findings of a file's entries against each other: what visible calls show is known better than inputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial

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
_BY_AUTOGRAD = "a function with such parameters is a backward hook, which autograd calls with grad mode off"

_ONLY_DEFAULTS = "the program's own objects are made with the defaults"

_SERIOUS = ("error", "warning")


def weigh_findings(entries: Sequence[JudgedOutcome], units: Sequence[Unit]) -> tuple[Finding, ...]:
    """Return the findings of all entries, each with the severity that its evidence supports."""
    file = _FileEvidence(entries, units)
    weighed = [(entry, _do_for_entry(entry, partial(_weigh_entry, file, entry), entry.findings)) for entry in entries]
    try:
        merged = merge_findings([finding for _, found in weighed for finding in found])
    except Exception:  # a bug of ours: each entry by itself, so that it costs one
        merged = tuple(
            finding for entry, found in weighed for finding in _do_for_entry(entry, partial(merge_findings, found), ())
        )
    return tuple(map(_append_conditions, merged))


class _FileEvidence:
    """What the calls in a file show about the places of findings. Each part is computed when it is first asked for."""

    def __init__(self, entries: Sequence[JudgedOutcome], units: Sequence[Unit]) -> None:
        self.program = entries[0]
        self._entries, self._units = entries, units
        self._find_ways = cache(self._list_ways)

    @cached_property
    def callers(self) -> Callers:
        """Who calls the functions of the file."""
        return Callers(self._units)

    def calls_completely(self, outcome: Outcome) -> bool:
        """Return whether the program calls the function, and all of the program was followed."""
        program = self.program.outcome
        return outcome.definition in program.called and not program.incomplete

    def reaches(self, outcome: Outcome, place: Span) -> bool:
        """Return whether visible calls reached `place`; those of a program that was followed to its end by any way."""
        if place in self._by_program and (outcome.by_framework or self.calls_completely(outcome)):
            return True
        return not outcome.by_framework and place in self._find_ways(outcome.definition)

    @cached_property
    def _by_program(self) -> set[Span]:
        return {place for place, _ in self.program.find_reached()}

    @cached_property
    def _called(self) -> set[int]:
        return {definition for entry in self._entries if entry.outcome.reached for definition in entry.outcome.called}

    @cached_property
    def _places(self) -> ReachedPlaces:
        return ReachedPlaces(self._units, [(entry.outcome, entry.find_reached()) for entry in self._entries])

    def _list_ways(self, definition: int) -> Collection[Span]:
        """Return the places that calls of a definition reached."""
        return self._places.find_places(definition) if definition in self._called else frozenset()


def _weigh_entry(file: _FileEvidence, entry: JudgedOutcome) -> list[Finding]:
    """Return the findings of an entry, weighed, without implausible ones that visible calls contradict."""
    if entry is file.program:
        return list(entry.findings)
    outcome = entry.outcome
    return [
        _weigh_by_calls(file, found, outcome)
        for found in entry.findings
        if not (_is_doubted(found) and file.reaches(outcome, found.span))
    ]


def _weigh_by_calls(file: _FileEvidence, finding: Finding, outcome: Outcome) -> Finding:
    """Return the finding with the severity that the calls in the file leave it."""
    weighed = _weigh_finding(finding, outcome, file.reaches(outcome, finding.span))
    if weighed.severity not in _SERIOUS:
        return weighed
    if file.calls_completely(outcome):
        weighed = _weigh_by_program(file, weighed, outcome)
    if is_hazard(finding.code, _needs_gradients) and file.callers.is_only_called_without_grad(outcome.definition):
        is_hook = file.callers.is_backward_hook(outcome.definition)
        return lower_to_hint(weighed, _BY_AUTOGRAD if is_hook else _ONLY_OFF)
    return weighed


def _weigh_by_program(file: _FileEvidence, finding: Finding, outcome: Outcome) -> Finding:
    """Return a finding in a function that the program calls without reaching its place, with its severity."""
    if finding.conditions:
        finding = _weigh_left_out(finding, file.callers.find_definition(outcome.definition))
    if finding.severity == "warning" and _needs_options(finding):
        return lower_to_hint(finding, _ONLY_DEFAULTS)
    return finding


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


def _is_doubted(finding: Finding) -> bool:
    """Return whether nothing but implausible assumptions makes the finding: where a visible call contradicts them, too,
    nothing is left of it."""
    return finding.severity == "hint" and bool(finding.assumptions)


def _needs_options(finding: Finding) -> bool:
    """Return whether a finding rests on options that are off by default."""
    return any(assumed.endswith(OTHER_OPTIONS) for assumed in finding.assumptions)


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
