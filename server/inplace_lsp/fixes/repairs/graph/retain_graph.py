"""Retain the graph for a second backward: `loss.backward(retain_graph=True)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import site_at
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span


def retain_graph(context: RepairContext) -> Iterator[Candidate]:
    """Repair a second backward at the one that freed the graph."""
    text, finding = context.text, context.finding
    for place in dict.fromkeys(finding.places_of("backward")):
        edit = _add_retain_graph(text, place) if place.file == finding.span.file else None
        if edit is not None:
            again = place.row >= finding.span.row
            warnings = ("the graphs of all iterations stay in memory",) if again else ()
            message = f"Keep the graph: `retain_graph=True` on line {place.row}"
            yield Candidate(message, (edit,), (), warnings, Difference.KEPT_GRAPHS)


RETAIN_GRAPH = Repair(frozenset({"IP103"}), retain_graph)


def _add_retain_graph(text: str, place: Span) -> Edit | None:
    site = site_at(text, place)
    if site is None:
        return None
    for call in site.tree.calls_in(site.statement):
        named = {argument.keyword.value for argument in call.args if argument.keyword is not None}
        if _is_backward(call) and "retain_graph" not in named:
            end = site.tree.span_of(call)
            content = "retain_graph=True" if not call.args else ", retain_graph=True"
            return insert_at(end.file, end.end_row, end.end_column - 1, content)
    return None


def _is_backward(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in {"backward", "grad"}
