"""The findings of a file by their place, to tell what the analysis says of a write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.why.clue import Clue


class Sight:
    """What `check` knows of a place; what it says there counts more than what a tape leaves open."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._found = {(one.span.file, one.span.row, one.code): one for one in findings}

    def told(self, clue: Clue) -> Clue:
        """`clue` with the words of the finding at its place, if there is one; not where the tape leaves it open."""
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
