"""Verdicts of `verify --all` in the formats of `check`: what runs have shown, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inplace_lsp.explanations import find_explanation
from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.tape.model import Span
from inplace_lsp.verify.as_json import PlaceJson, VerdictJson, ViolationJson
from inplace_lsp.verify.verdict import TELLING


def findings_of(verdicts: Iterable[VerdictJson]) -> list[Finding]:
    """Return a finding for every violation of the runs that show a hazard, each place and code once, in the order of
    places.

    A hazard whose line no run names is left to reports that show verdicts as such.
    """
    found = {(finding.span, finding.code): finding for verdict in verdicts for finding in _findings_of_verdict(verdict)}
    return [found[place] for place in sorted(found)]


def _findings_of_verdict(verdict: VerdictJson) -> Iterator[Finding]:
    if verdict["verdict"] not in TELLING:
        return
    for number, violation in enumerate(verdict["violations"]):
        page = find_explanation(violation["code"])
        saved = violation["saved"]
        why = verdict["reason"] if number == 0 else _describe_versions(violation)
        yield Finding(
            code=violation["code"],
            name=page.name if page else violation["code"],
            severity="error",
            message=f"{verdict['verdict']} by a run of `{verdict['function']}`: {' '.join(why.split())}",
            assumptions=(),
            span=_read_span(violation["written"]),
            related=()
            if saved is None
            else (Related("saved", f"`{violation['op']}` saved it here", _read_span(saved)),),
            function=verdict["function"],
        )


def _describe_versions(violation: ViolationJson) -> str:
    if violation["expected_version"] is None:
        return f"torch refuses `{violation['op']}`"
    expected, found = violation["expected_version"], violation["found_version"]
    return f"`{violation['op']}` had saved version {expected}, backward found version {found}"


def _read_span(place: PlaceJson) -> Span:
    start, end = place["location"], place["end_location"]
    return Span(place["filename"], start["row"], start["column"] - 1, end["row"], end["column"] - 1)
