"""Merge the findings at one place: the strongest is reported."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.wording import unique_places

FEW = 3
"""So many conditions are told, the innermost ones."""
_STRENGTH = {"error": 0, "warning": 1, "information": 2, "hint": 3}


def merge_findings(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return one finding for each file, line and code: the strongest, with the related places of all."""
    groups: dict[tuple[str, int, str], list[Finding]] = {}
    for finding in found:
        groups.setdefault((finding.span.file, finding.span.row, finding.code), []).append(finding)
    merged = (_find_strongest(group) for group in groups.values())
    return tuple(sorted(merged, key=lambda finding: (finding.span, finding.code)))


def tell_conditions(finding: Finding) -> Finding:
    """Add to the message under which conditions it happens."""
    if not finding.conditions:
        return finding
    shown = finding.conditions[-FEW:]
    said = " and ".join(f"`{condition}`" for condition in shown)
    return replace(finding, message=f"{finding.message} It happens if {said}.")


def _find_strongest(group: list[Finding]) -> Finding:
    """Return the strongest finding of `group`; the first of equally strong ones, under the conditions of all."""
    best = min(group, key=lambda finding: (_STRENGTH[finding.severity], len(finding.assumptions)))
    equals = [finding for finding in group if finding.severity == best.severity]
    others = (place for finding in equals for place in finding.related)
    conditions = tuple(said for said in best.conditions if all(said in finding.conditions for finding in equals))
    return replace(best, related=unique_places((*best.related, *others)), conditions=conditions)
