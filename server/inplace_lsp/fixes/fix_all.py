"""Every repair that may be made without asking, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.engine import Analysis, analyse
from inplace_lsp.fixes.offer import Analyse, fixes_for
from inplace_lsp.fixes.program.edits import apply_edits
from inplace_lsp.hazards.finding import Fix

AT_MOST = 500


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text with repairs made, which they were, and the findings that are left."""

    text: str
    made: tuple[Fix, ...]
    analysis: Analysis


def fix_all(text: str, filename: str, *, unsafe: bool = False, analyse: Analyse = analyse) -> Repaired:
    """Make the best repair of each finding that has a safe one (or any, if `unsafe`).

    `analyse` decides which findings are wanted at all.
    """
    made: list[Fix] = []
    analysis = analyse(text, filename)
    while len(made) < AT_MOST:
        here = (finding for finding in analysis.findings if finding.span.file == filename)
        offers = (fixes_for(text, finding, analysis, analyse) for finding in here)
        wanted = (fix for fixes in offers for fix in fixes if unsafe or fix.applicability == "safe")
        fix = next(wanted, None)
        if fix is None:
            break
        made.append(fix)
        text = apply_edits(text, fix.edits)
        analysis = analyse(text, filename)
    return Repaired(text, tuple(made), analysis)
