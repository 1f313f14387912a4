"""Return a copy from a custom Function that returns its input: a copy may be written."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program import custom_class
from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.custom_class import CustomFunction
from inplace_lsp.fixes.program.edits import insert_at
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import site_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import View, ViewKind


def return_copy(context: RepairContext) -> Iterator[Candidate]:
    """Write `return x.clone()` in the forward that was called where the view was made."""
    text, finding = context.text, context.finding
    views = (event for event in finding.story if isinstance(event, View) and event.tensor.view is ViewKind.CUSTOM)
    for place in dict.fromkeys(view.span for view in views if view.span.file == finding.span.file):
        site = site_at(text, place)
        nodes = site.tree.nodes_within(site.tree.span_of(site.statement)) if site is not None else []
        for node in nodes:
            op = site.tree.code_of(node.func) if site is not None and isinstance(node, cst.Call) else ""
            owner = custom_class.find_function_class(text, place.file, op)
            edits = tuple(_clone_returned_inputs(owner)) if owner is not None else ()
            if edits:
                message = f"Return a copy of the input: `.clone()` on line {edits[0].span.row}"
                yield Candidate(message, edits, (), ("whoever calls it then gets new memory",))
                return


RETURN_COPY = Repair(frozenset({"IP303"}), return_copy)


def _clone_returned_inputs(owner: CustomFunction) -> Iterator[Edit]:
    forward = owner.own_method("forward")
    for values in custom_class.returned_values(owner.tree, forward) if forward is not None else ():
        for value in values:
            if isinstance(value, cst.Name) and forward is not None and custom_class.is_input(forward, value.value):
                end = owner.tree.span_of(value)
                yield insert_at(end.file, end.end_row, end.end_column, ".clone()")
