"""Judge a repaired text: the finding must be gone, nothing new may have come, nothing may be lost from sight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inplace_lsp.analysis import Analysis
from inplace_lsp.fixes.program.edits import row_after
from inplace_lsp.hazards.finding import Edit, Finding

WEIGHT = {"hint": 0, "information": 1, "warning": 2, "error": 3}
GONE = -1
Place = tuple[str, str, int]
"""Code, file and row."""


def repairs(
    before: Analysis, after: Analysis, edits: Sequence[Edit], finding: Finding, hidden: Sequence[Finding] = ()
) -> bool:
    """Whether `after`, the analysis of the edited text, shows that the edits repair `finding` and break nothing.

    A place may keep a weaker finding: what another call would make of it was hidden by the stronger one. `hidden` are
    findings that were there all the time too, behind a refused write.
    """
    left = _weights((one, _place(one)) for one in after.findings)
    gone = left.get(_moved(finding, edits), GONE) < WEIGHT[finding.severity]
    return gone and not new_findings(before, after, edits, finding, hidden) and _blind(after) <= _blind(before)


def new_findings(
    before: Analysis, after: Analysis, edits: Sequence[Edit], finding: Finding, hidden: Sequence[Finding] = ()
) -> list[Finding]:
    """The findings of the edited text that came with the edits, or are stronger than before; those in `finding`'s file
    first."""
    old = _weights((one, _moved(one, edits)) for one in (*before.findings, *hidden))
    new = [one for one in after.findings if WEIGHT[one.severity] > old.get(_place(one), GONE)]
    return sorted(new, key=lambda one: one.span.file != finding.span.file)


def _weights(found: Iterable[tuple[Finding, Place]]) -> dict[Place, int]:
    """The weight of the strongest finding of every place and code."""
    weights: dict[Place, int] = {}
    for finding, place in found:
        weights[place] = max(weights.get(place, GONE), WEIGHT[finding.severity])
    return weights


def _place(finding: Finding) -> Place:
    return finding.code, finding.span.file, finding.span.row


def _moved(finding: Finding, edits: Sequence[Edit]) -> Place:
    """Where the finding is once the edits are made."""
    here = [one for one in edits if one.span.file == finding.span.file]
    return finding.code, finding.span.file, row_after(finding.span.row, finding.span.column, here)


def _blind(analysis: Analysis) -> int:
    return sum(1 for gap in analysis.gaps if not gap.partly)
