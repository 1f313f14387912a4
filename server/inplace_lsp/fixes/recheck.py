"""Judge a repaired text: the finding is gone, no finding is new, and no code is newly unanalysed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.edits import find_row_after
from inplace_lsp.hazards.finding import Edit, Finding

WEIGHT = {"hint": 0, "information": 1, "warning": 2, "error": 3}
GONE = -1
Place = tuple[str, str, int]
"""Code, file and row."""


def repairs_finding(
    before: Analysis, after: Analysis, edits: Sequence[Edit], finding: Finding, hidden: Sequence[Finding] = ()
) -> bool:
    """Return whether `after`, the analysis of the edited text, shows that the edits repair `finding` and break nothing.

    A place may keep a weaker finding that the stronger one hid. `hidden` are findings that a refused write hid.
    """
    left = _heaviest_findings((found, _place(found)) for found in after.findings)
    gone = left.get(_place_after_edits(finding, edits), GONE) < WEIGHT[finding.severity]
    return (
        gone
        and not new_findings(before, after, edits, finding, hidden)
        and _count_blind_spots(after) <= _count_blind_spots(before)
    )


def new_findings(
    before: Analysis, after: Analysis, edits: Sequence[Edit], finding: Finding, hidden: Sequence[Finding] = ()
) -> list[Finding]:
    """Return the findings that are new or stronger in the edited text; those in `finding`'s file first."""
    old = _heaviest_findings((found, _place_after_edits(found, edits)) for found in (*before.findings, *hidden))
    new = [found for found in after.findings if WEIGHT[found.severity] > old.get(_place(found), GONE)]
    return sorted(new, key=lambda found: found.span.file != finding.span.file)


def _heaviest_findings(found: Iterable[tuple[Finding, Place]]) -> dict[Place, int]:
    """Return the weight of the strongest finding of every place and code."""
    weights: dict[Place, int] = {}
    for finding, place in found:
        weights[place] = max(weights.get(place, GONE), WEIGHT[finding.severity])
    return weights


def _place(finding: Finding) -> Place:
    return finding.code, finding.span.file, finding.span.row


def _place_after_edits(finding: Finding, edits: Sequence[Edit]) -> Place:
    """Return where the finding is after the edits."""
    here = [edit for edit in edits if edit.span.file == finding.span.file]
    return finding.code, finding.span.file, find_row_after(finding.span.row, finding.span.column, here)


def _count_blind_spots(analysis: Analysis) -> int:
    return sum(1 for gap in analysis.gaps if not gap.partly)
