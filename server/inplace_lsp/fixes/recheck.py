"""Judge a repaired text: the finding must be gone, nothing new may have come, nothing may be lost from sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from inplace_lsp.engine import Analysis
from inplace_lsp.fixes.edits import row_after
from inplace_lsp.hazards.finding import Edit, Finding


def repairs(before: Analysis, after: Analysis, edits: Sequence[Edit], finding: Finding) -> bool:
    """Whether `after`, the analysis of the edited text, shows that the edits repair `finding` and break nothing."""
    file = finding.span.file
    old = Counter(_moved(one, edits) for one in before.findings if one.span.file == file)
    new = Counter((one.code, one.span.row) for one in after.findings if one.span.file == file)
    gone = new[_moved(finding, edits)] < old[_moved(finding, edits)]
    return gone and not new - old and _blind(after) <= _blind(before)


def _moved(finding: Finding, edits: Sequence[Edit]) -> tuple[str, int]:
    return finding.code, row_after(finding.span.row, finding.span.column, edits)


def _blind(analysis: Analysis) -> int:
    return sum(1 for gap in analysis.gaps if not gap.partly)
