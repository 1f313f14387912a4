"""Verdicts of `verify --all` in the formats of `check`: what runs have shown, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inplace_lsp.explanations import find_explanation
from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.tape.model import Span
from inplace_lsp.verify.as_json import PlaceJson, VerdictJson, ViolationJson
from inplace_lsp.verify.verdict import TELLING

_SHOWN = {"confirmed": "confirmed by a run of", "silent": "torch is silent in a run of"}


def make_findings(verdicts: Iterable[VerdictJson]) -> list[Finding]:
    """Return a finding for every violation in the runs, each place and code once, in the order of places. If several
    runs show it, take the one with the fewest violations.

    Leave out hazards without a line: only reports of verdicts show them.
    """
    found: dict[tuple[Span, str], Finding] = {}
    for verdict in sorted(verdicts, key=lambda verdict: (len(verdict.get("violations", ())), verdict["function"])):
        for finding in _make_findings(verdict):
            found.setdefault((finding.span, finding.code), finding)
    return [found[place] for place in sorted(found)]


def _make_findings(verdict: VerdictJson) -> Iterator[Finding]:
    if verdict["verdict"] not in TELLING:
        return
    alone = len(verdict["violations"]) == 1  # the reason is about all of them
    for violation in verdict["violations"]:
        page = find_explanation(violation["code"])
        saved = violation["saved"]
        why = verdict["reason"] if alone else _describe_versions(violation)
        yield Finding(
            code=violation["code"],
            name=page.name if page else violation["code"],
            severity="error",
            message=f"{_SHOWN[verdict['verdict']]} `{verdict['function']}`: {' '.join(why.split())}",
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
    if expected == found:
        return f"`{violation['op']}` had saved it, backward found other values at the same version"
    return f"`{violation['op']}` had saved version {expected}, backward found version {found}"


def _read_span(place: PlaceJson) -> Span:
    start, end = place["location"], place["end_location"]
    return Span(place["filename"], start["row"], start["column"] - 1, end["row"], end["column"] - 1)
