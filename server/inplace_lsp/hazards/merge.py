"""Merge the findings at one place: the strongest is reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from inplace_lsp.hazards.conditions import drop_implied
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.wording import describe_place, drop_repeated_places
from inplace_lsp.tape.model import Span

FEW = 3
"""Maximum number of conditions that a message names: the innermost ones."""
_STRENGTH = {"error": 0, "warning": 1, "information": 2, "hint": 3}


def merge_findings(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return one finding for each file, line and code: the strongest, with the related places of all.

    A statement that torch refuses shows only the refusal: what else torch would find in it depends on the repair.
    """
    groups: dict[tuple[str, int, str], list[Finding]] = {}
    for finding in found:
        if finding.after == finding.span:
            continue
        groups.setdefault((finding.span.file, finding.span.row, finding.code), []).append(finding)
    merged = (_find_strongest(group) for group in groups.values())
    return tuple(sorted(merged, key=lambda finding: (finding.span, finding.code)))


def keep_one_per_write(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings; where several codes concern one write, drop those that are less certain than the strongest.
    Of several hints about a write only the first is kept."""
    writes: dict[tuple[Span, str], list[Finding]] = {}
    for finding in findings:
        if finding.op and finding.severity != "information":
            writes.setdefault((finding.span, finding.op), []).append(finding)
    weaker = {id(finding) for group in writes.values() if len(group) > 1 for finding in _find_weaker(group)}
    return [finding for finding in findings if id(finding) not in weaker]


def _find_weaker(group: Sequence[Finding]) -> list[Finding]:
    strongest = min(_STRENGTH[finding.severity] for finding in group)
    if strongest == _STRENGTH["hint"]:
        return list(group[1:])
    return [finding for finding in group if _STRENGTH[finding.severity] > strongest]


def append_refusal(finding: Finding) -> Finding:
    """Append to the message which earlier line torch stops at."""
    if finding.after is None:
        return finding
    line = describe_place(finding.after, finding.span)
    return replace(finding, message=f"{finding.message} It shows once {line} is mended: torch stops there first.")


def append_conditions(finding: Finding) -> Finding:
    """Append to the message the conditions under which it happens."""
    if not finding.conditions:
        return finding
    shown = drop_implied(finding.conditions)[-FEW:]
    said = " and ".join(f"`{condition}`" for condition in shown)
    return replace(finding, message=f"{finding.message} It happens if {said}.")


def _rank_finding(finding: Finding) -> tuple[int, bool, int]:
    """Rank findings of one place: the strongest first, of equals what happens first in the program as it is."""
    return _STRENGTH[finding.severity], finding.after is not None, len(finding.assumptions)


def _find_strongest(group: list[Finding]) -> Finding:
    """Return the strongest finding of `group`; the first of equally strong ones, under the conditions of all."""
    best = min(group, key=_rank_finding)
    equals = [finding for finding in group if finding.severity == best.severity]
    others = (place for finding in equals for place in finding.related)
    conditions = tuple(said for said in best.conditions if all(said in finding.conditions for finding in equals))
    return replace(best, related=drop_repeated_places((*best.related, *others)), conditions=conditions)
