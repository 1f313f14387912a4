"""Return a copy from a custom Function that returns its input: a copy may be written."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program import custom_class
from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.custom_class import CustomFunction
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import site_at
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span, ViewKind


def return_copy(context: RepairContext) -> Iterator[Candidate]:
    """Write `return x.clone()` in the forward that was called where the view was made."""
    finding = context.finding
    views = finding.views_of(ViewKind.CUSTOM)
    for place in dict.fromkeys(view.span for view in views if view.span.file == finding.span.file):
        for owner in _functions_applied_at(context.text, place):
            edits = tuple(_clone_returned_inputs(owner))
            if edits:
                message = f"Return a copy of the input: `.clone()` on line {edits[0].span.row}"
                yield Candidate(message, edits, (), ("its callers then get new memory",))
                return


def _functions_applied_at(text: str, place: Span) -> Iterator[CustomFunction]:
    """Yield the custom Functions that the statement calls by `Name.apply`."""
    site = site_at(text, place)
    if site is None:
        return
    for node in site.tree.nodes_within(site.tree.span_of(site.statement)):
        if isinstance(node, cst.Call):
            owner = custom_class.find_function_class(text, place.file, site.tree.code_of(node.func))
            if owner is not None:
                yield owner


RETURN_COPY = Repair(frozenset({"IP303"}), return_copy)


def _clone_returned_inputs(owner: CustomFunction) -> Iterator[Edit]:
    forward = owner.own_method("forward")
    for values in custom_class.returned_values(owner.tree, forward) if forward is not None else ():
        for value in values:
            if isinstance(value, cst.Name) and forward is not None and custom_class.is_input(forward, value.value):
                end = owner.tree.span_of(value)
                yield insert_at(end.file, end.end_row, end.end_column, ".clone()")
