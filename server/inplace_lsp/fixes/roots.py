"""What a writing statement reaches into: `x` of `x[0] += 1`, but `cache["y"]` where `cache` is a dictionary."""

from __future__ import annotations

import libcst as cst

from inplace_lsp.fixes.candidate import is_plain
from inplace_lsp.fixes.site import Site
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import View, Write

VIEW_ATTRIBUTES = frozenset({"data", "T", "mT", "H", "mH", "real", "imag"})


def tensor_at(site: Site, finding: Finding, node: cst.BaseExpression, *, item: bool = False) -> cst.BaseExpression:
    """The expression for the tensor whose memory `node` reaches into.

    The tape tells how many steps of `node` are views; the others lead through containers. `item`: `node` is the target
    of an assignment, whose last index is a step into the tensor whether it makes a view or not.
    """
    steps = max(_views(site, finding), 1 if item else 0)
    while steps > 0 and (inner := _step(node)) is not None:
        node, steps = inner, steps - 1
    return node


def is_rebindable(node: cst.BaseExpression) -> bool:
    """Whether an assignment can give `node` another tensor: a name, an attribute, a place in a container."""
    if isinstance(node, cst.Subscript):
        return is_plain(node.value) and len(node.slice) == 1 and _is_simple(node.slice[0].slice)
    return is_plain(node)


def _is_simple(index: cst.BaseSlice) -> bool:
    value = index.value if isinstance(index, cst.Index) else None
    if isinstance(value, cst.UnaryOperation):
        value = value.expression
    return isinstance(value, (cst.Name, cst.Integer, cst.SimpleString))


def _step(node: cst.BaseExpression) -> cst.BaseExpression | None:
    if isinstance(node, cst.Subscript) or (isinstance(node, cst.Attribute) and node.attr.value in VIEW_ATTRIBUTES):
        return node.value
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return node.func.value
    return None


def _views(site: Site, finding: Finding) -> int:
    """The views that the statement makes of the memory it writes."""
    row = site.tree.span(site.statement).row
    storages = {one.tensor.storage for one in finding.story if isinstance(one, Write) and one.span.row == row}
    made = {
        (one.tensor.id, one.op)
        for one in finding.story
        if isinstance(one, View) and one.span.row == row and one.tensor.storage in storages
    }
    rounds = sum(1 for one in finding.story if isinstance(one, Write) and one.span.row == row) or 1
    return -(-len(made) // rounds)
