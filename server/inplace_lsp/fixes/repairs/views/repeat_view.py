"""Make a view again that torch no longer lets anybody use or write: in grad mode, or after the write."""

from __future__ import annotations

from collections.abc import Iterator, Set

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, insert_statement_before, shorten_to_line
from inplace_lsp.fixes.program.flow import reads_and_bindings
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, site_at
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span, View, ViewKind


def repeat_pieces(context: RepairContext) -> Iterator[Candidate]:
    """Make pieces again after a write to their base: everybody sees the write, as in any view."""
    return _repeat_views(context, {ViewKind.MULTI_OUTPUT}, in_grad_mode=False)


def repeat_in_grad_mode(context: RepairContext) -> Iterator[Candidate]:
    """Make a view of `no_grad` or inference mode again: everybody sees the write, as in any view."""
    return _repeat_views(context, {ViewKind.NO_GRAD, ViewKind.INFERENCE}, in_grad_mode=True)


REPEAT_PIECES = Repair(frozenset({"IP203"}), repeat_pieces)
REPEAT_IN_GRAD_MODE = Repair(frozenset({"IP204"}), repeat_in_grad_mode)


def _repeat_views(context: RepairContext, kinds: Set[ViewKind], *, in_grad_mode: bool) -> Iterator[Candidate]:
    site, finding = context.site, context.finding
    if site is None:
        return
    for place in _view_places(finding, kinds):
        maker = site_at(context.text, place)
        if maker is None or not _means_the_same_at(site, maker):
            continue
        statement = maker.tree.code_of(maker.statement)
        message = f"Make the view again: `{shorten_to_line(statement)}`"
        if any(related.role == "view" and related.span.row > finding.span.row for related in finding.related):
            yield Candidate(f"{message} after the write", (_insert_line_after(site, statement),))
        elif in_grad_mode:
            yield Candidate(f"{message} in grad mode", (insert_statement_before(site, statement),))


def _view_places(finding: Finding, kinds: Set[ViewKind]) -> list[Span]:
    views = (event for event in finding.story if isinstance(event, View) and event.tensor.view in kinds)
    return list(dict.fromkeys(view.span for view in views if view.span.file == finding.span.file))


def _means_the_same_at(site: Site, maker: Site) -> bool:
    """Return whether the assignment means the same at the write: same function, no name rebound in between."""
    statement = maker.statement
    if not isinstance(statement, cst.Assign) or not site.is_alone or "\n" in maker.tree.code_of(statement):
        return False
    if not _are_in_same_function(site, maker):
        return False
    reads, writes = reads_and_bindings(maker.tree, statement)
    _, bound = reads_and_bindings(site.tree, site.tree.scope_of(site.statement))
    start, end = maker.tree.span_of(statement), site.tree.span_of(site.statement)
    again = [at for name in {*reads, *writes} for at in bound.get(name, ()) if start.end_row < at[0] < end.row]
    return start.row < end.row and not again


def _are_in_same_function(first: Site, second: Site) -> bool:
    own, other = first.tree.function_of(first.statement), second.tree.function_of(second.statement)
    if own is None or other is None:
        return own is other
    return own.deep_equals(other)


def _insert_line_after(site: Site, statement: str) -> Edit:
    here = site.tree.span_of(site.statement)
    row, column = site.tree.end_of_block(site.line)
    return insert_at(here.file, row, column, f"\n{site.tree.indentation_of(here.row)}{statement}")
