"""The findings of a file by their place, to tell how `check` judges a write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.why.clue import Clue


class FindingsByPlace:
    """The findings of `check` by place. They outweigh clues that rest on a tape alone."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._found = {(finding.span.file, finding.span.row, finding.code): finding for finding in findings}

    def apply_finding(self, clue: Clue) -> Clue:
        """Return `clue` with severity and message of the finding at its place, if there is one."""
        found = self._found.get((clue.span.file, clue.span.row, clue.code))
        if found is None or clue.doubt:
            return clue
        return replace(
            clue,
            span=found.span,
            message=found.message,
            related=found.related,
            severity=found.severity,
            assumptions=found.assumptions,
        )
