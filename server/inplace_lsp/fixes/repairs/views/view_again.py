"""A view that torch no longer lets anybody use, or write, is made again: in grad mode, or behind the write."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, one_line, statement_before
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.flow import uses
from inplace_lsp.fixes.program.site import Site, site_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span, View, ViewKind


def view_again(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP203 where the base is written under its pieces, and for IP204: everybody sees the write, as in any view."""
    site = site_at(text, finding.span) if finding.code in {"IP203", "IP204"} else None
    if site is None:
        return
    for place in _made(finding):
        maker = site_at(text, place)
        if maker is None or not _can_be_repeated(site, maker):
            continue
        statement = maker.tree.code(maker.statement)
        message = f"Make the view again: `{one_line(statement)}`"
        if any(one.role == "view" and one.span.row > finding.span.row for one in finding.related):
            yield Candidate(f"{message} behind the write", (_line_behind(site, statement),))
        elif finding.code == "IP204":
            yield Candidate(f"{message} in grad mode", (statement_before(site, statement),))


def _made(finding: Finding) -> list[Span]:
    kinds = {"IP203": {ViewKind.MULTI_OUTPUT}, "IP204": {ViewKind.NO_GRAD, ViewKind.INFERENCE}}[finding.code]
    views = (one for one in finding.story if isinstance(one, View) and one.tensor.view in kinds)
    return list(dict.fromkeys(one.span for one in views if one.span.file == finding.span.file))


def _can_be_repeated(site: Site, maker: Site) -> bool:
    """Whether the assignment means at the write what it meant where it stands: same function, names not bound anew."""
    statement = maker.statement
    if not isinstance(statement, cst.Assign) or not site.is_alone or "\n" in maker.tree.code(statement):
        return False
    own, there = site.tree.function_of(site.statement), maker.tree.function_of(statement)
    if (own is None) != (there is None) or (own is not None and there is not None and not own.deep_equals(there)):
        return False
    reads, writes = uses(maker.tree, statement)
    _, bound = uses(site.tree, site.tree.scope_of(site.statement))
    start, end = maker.tree.span(statement), site.tree.span(site.statement)
    again = [at for name in {*reads, *writes} for at in bound.get(name, ()) if start.end_row < at[0] < end.row]
    return start.row < end.row and not again


def _line_behind(site: Site, statement: str) -> Edit:
    here = site.tree.span(site.statement)
    row, column = site.tree.last_of(site.line)
    return insertion(here.file, row, column, f"\n{site.tree.indentation(here.row)}{statement}")
