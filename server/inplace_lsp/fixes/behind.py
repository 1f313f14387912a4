"""What a refused write hides: torch raises at it, so that nothing behind it is reached until it is repaired."""

from __future__ import annotations

import libcst as cst

from inplace_lsp.analysis import Analysis
from inplace_lsp.fixes.program.edits import apply_edits
from inplace_lsp.fixes.program.site import site_at
from inplace_lsp.hazards.finding import Edit, Finding

ENDS_ITS_PATH = frozenset({"IP201", "IP202", "IP203", "IP204", "IP205", "IP206", "IP207", "IP303"})
"""The codes of writes that torch refuses, IP303 among others that it does not."""


def text_without(text: str, finding: Finding) -> str | None:
    """`text` with `pass` in place of the refused write, all else where it was; None where that cannot be."""
    site = site_at(text, finding.span) if finding.code in ENDS_ITS_PATH else None
    if site is None or isinstance(site.statement, cst.Return):
        return None
    place = site.tree.span(site.statement)
    rows = place.end_row - place.row
    if rows == 0:
        return apply_edits(text, [Edit("pass".ljust(place.end_column - place.column), place)])
    is_last = site.line.body[-1] is site.statement
    return apply_edits(text, [Edit("pass" + "\n" * rows, place)]) if is_last else None


def newly_reached(before: Analysis, without: Analysis) -> tuple[Finding, ...]:
    """The findings of the text without the write that its own analysis does not have."""
    known = {(one.code, one.span.row, one.span.column) for one in before.findings}
    return tuple(one for one in without.findings if (one.code, one.span.row, one.span.column) not in known)
