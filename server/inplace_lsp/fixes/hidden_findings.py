"""Find what a refused write hides: torch raises at it, so nothing after it runs until it is repaired."""

from __future__ import annotations

import libcst as cst

from inplace_lsp.fixes.program.codes import is_refused_write
from inplace_lsp.fixes.program.site import site_at
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Edit, Finding


def text_without_write(text: str, finding: Finding) -> str | None:
    """Return `text` with `pass` in place of the refused write, everything else unmoved; None if that is impossible."""
    site = site_at(text, finding.span) if is_refused_write(finding) else None
    if site is None or isinstance(site.statement, cst.Return):
        return None
    place = site.tree.span_of(site.statement)
    rows = place.end_row - place.row
    if rows == 0:
        return apply_edits(text, [Edit("pass".ljust(place.end_column - place.column), place)])
    is_last = site.line.body[-1] is site.statement
    return apply_edits(text, [Edit("pass" + "\n" * rows, place)]) if is_last else None
