"""`y.data.clamp_(max=1)` as `y = y.clone()`, `y.clamp_(max=1)`: the write becomes part of the graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.repairs.copies.clone_first import clone_first
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.autograd import DATA
from inplace_lsp.tape.model import Span, TensorState, View

WARNING = "the gradient then goes through the write"


def through_data(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For IP301 through `.data` of a result: the same write to a copy, without `.data`.

    Never for a leaf: what is written there behind autograd's back is meant to be no part of the graph. Nor where the
    graph is cut off once more: without `.data`, `y.detach()` is still outside it.
    """
    if finding.code != "IP301" or not _is_of_result(finding):
        return
    cuts = tuple(_cut(site, node) for node in _datas(site))
    for one in clone_first(site, finding) if cuts else ():
        message = f"{one.message}, and without `.data`"
        yield replace(one, message=message, edits=(*one.edits, *cuts), warnings=(*one.warnings, WARNING))


def _is_of_result(finding: Finding) -> bool:
    """Whether the tensor whose `.data` is written is the result of an op."""
    datas = {one.tensor.storage for one in finding.story if isinstance(one, View) and one.op == DATA}
    states = (getattr(event, "tensor", None) for event in finding.story)
    made = [one for one in states if isinstance(one, TensorState) and one.storage in datas and one.requires_grad]
    return bool(made) and not any(one.leaf for one in made)


def _datas(site: Site) -> list[cst.Attribute]:
    nodes = site.tree.within(site.tree.span(site.statement))
    names = [one for one in nodes if isinstance(one, cst.Attribute)]
    if any(one.attr.value == "detach" for one in names):
        return []
    return [one for one in names if one.attr.value == "data"]


def _cut(site: Site, node: cst.Attribute) -> Edit:
    """Nothing in place of `.data`."""
    inner, whole = site.tree.span(node.value), site.tree.span(node)
    return Edit("", Span(whole.file, inner.end_row, inner.end_column, whole.end_row, whole.end_column))
