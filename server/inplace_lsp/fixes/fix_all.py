"""Make every repair that needs no confirmation, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.analysis import Analysis, NotAnalysed
from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes.offer import Analyse, try_best_fix
from inplace_lsp.hazards.edits import apply_edits, find_row_after
from inplace_lsp.hazards.finding import Finding, Fix

AT_MOST = 500
Place = tuple[int, int, str]
"""Row, column and code: the order in which findings are repaired."""


@dataclass(frozen=True, slots=True)
class RepairedText:
    """A text after its repairs, the repairs made, the findings that are left, and what internal errors have cost."""

    text: str
    made: tuple[Fix, ...]
    analysis: Analysis
    lost: tuple[NotAnalysed, ...] = ()


def fix_all(text: str, filename: str, *, unsafe: bool = False, analyse: Analyse = analyse_source) -> RepairedText:
    """Make the best repair of each finding that has a safe one (or any, if `unsafe`).

    `analyse` decides which findings count at all. The text is read from top to bottom, again and again while that
    helps: one repair may make another possible above it.
    """
    made: list[Fix] = []
    lost: list[NotAnalysed] = []
    analysis = analyse(text, filename)
    helped = True
    while helped and len(made) < AT_MOST:
        helped = False
        done: Place = (0, 0, "")
        while len(made) < AT_MOST and (finding := _next_finding(analysis, filename, done)) is not None:
            fix, fault = try_best_fix(text, finding, analysis, analyse)
            lost += [fault] if fault is not None else []
            if fix is None or not (unsafe or fix.applicability == "safe"):
                done = _place(finding)
                continue
            made.append(fix)
            helped = True
            done = (find_row_after(finding.span.row, finding.span.column, fix.edits), 0, "")
            text = apply_edits(text, fix.edits)
            analysis = analyse(text, filename)
    return RepairedText(text, tuple(made), analysis, tuple(lost))


def _next_finding(analysis: Analysis, filename: str, done: Place) -> Finding | None:
    """Return the first finding in the file that lies behind `done`."""
    waiting = (finding for finding in analysis.findings if finding.span.file == filename and _place(finding) > done)
    return min(waiting, key=_place, default=None)


def _place(finding: Finding) -> Place:
    return finding.span.row, finding.span.column, finding.code
