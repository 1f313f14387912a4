"""Replace `y.data.clamp_(max=1)` by `y = y.clone()`, `y.clamp_(max=1)`: the write becomes part of the graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.repairs.copies.clone_first import clone_first
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.autograd import DATA
from inplace_lsp.tape.model import Span, TensorState, View

WARNING = "the gradient then goes through the write"


def drop_data(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write through `.data` of a result: write to a copy, without `.data`.

    Never for a leaf: a write behind autograd's back is meant to stay out of the graph. Nor where the graph is cut
    again: without `.data`, `y.detach()` is still outside it.
    """
    site, finding = context.site, context.finding
    if site is None or not _is_of_result(finding):
        return
    cuts = tuple(_remove_data(site, node) for node in _data_attributes(site))
    for copied in clone_first(context) if cuts else ():
        message = f"{copied.message}, and without `.data`"
        yield replace(copied, message=message, edits=(*copied.edits, *cuts), warnings=(*copied.warnings, WARNING))


DROP_DATA = Repair(frozenset({"IP301"}), drop_data)


def _is_of_result(finding: Finding) -> bool:
    """Return whether the tensor whose `.data` is written is the result of an op."""
    datas = {event.tensor.storage for event in finding.story if isinstance(event, View) and event.op == DATA}
    states = (getattr(event, "tensor", None) for event in finding.story)
    made = [
        state for state in states if isinstance(state, TensorState) and state.storage in datas and state.requires_grad
    ]
    return bool(made) and not any(tensor.leaf for tensor in made)


def _data_attributes(site: Site) -> list[cst.Attribute]:
    nodes = site.tree.nodes_within(site.tree.span_of(site.statement))
    names = [node for node in nodes if isinstance(node, cst.Attribute)]
    if any(name.attr.value == "detach" for name in names):
        return []
    return [name for name in names if name.attr.value == "data"]


def _remove_data(site: Site, node: cst.Attribute) -> Edit:
    """Remove `.data`."""
    inner, whole = site.tree.span_of(node.value), site.tree.span_of(node)
    return Edit("", Span(whole.file, inner.end_row, inner.end_column, whole.end_row, whole.end_column))
