"""Every repair that may be made without asking, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.analysis import Analysis
from inplace_lsp.engine import analyse
from inplace_lsp.fixes.offer import Analyse, best_fix
from inplace_lsp.fixes.program.edits import apply_edits, row_after
from inplace_lsp.hazards.finding import Finding, Fix

AT_MOST = 500
Place = tuple[int, int, str]
"""Row, column and code: the order in which findings are repaired."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text with repairs made, which they were, and the findings that are left."""

    text: str
    made: tuple[Fix, ...]
    analysis: Analysis


def fix_all(text: str, filename: str, *, unsafe: bool = False, analyse: Analyse = analyse) -> Repaired:
    """Make the best repair of each finding that has a safe one (or any, if `unsafe`).

    `analyse` decides which findings are wanted at all. The text is gone through from top to bottom, and again as long
    as that helps: a repair may make another one possible above it.
    """
    made: list[Fix] = []
    analysis = analyse(text, filename)
    helped = True
    while helped and len(made) < AT_MOST:
        helped = False
        done: Place = (0, 0, "")
        while len(made) < AT_MOST and (finding := _next(analysis, filename, done)) is not None:
            fix = best_fix(text, finding, analysis, analyse)
            if fix is None or not (unsafe or fix.applicability == "safe"):
                done = _place(finding)
                continue
            made.append(fix)
            helped = True
            done = (row_after(finding.span.row, finding.span.column, fix.edits), 0, "")
            text = apply_edits(text, fix.edits)
            analysis = analyse(text, filename)
    return Repaired(text, tuple(made), analysis)


def _next(analysis: Analysis, filename: str, done: Place) -> Finding | None:
    """Return the first finding in the file that lies behind `done`."""
    waiting = (one for one in analysis.findings if one.span.file == filename and _place(one) > done)
    return min(waiting, key=_place, default=None)


def _place(finding: Finding) -> Place:
    return finding.span.row, finding.span.column, finding.code
