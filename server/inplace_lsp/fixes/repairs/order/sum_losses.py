"""Sum the losses of a loop and walk their graph once, after it: `total_loss.backward()`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, site_at
from inplace_lsp.fixes.repairs.order.add_losses import is_plain_walk, loss_text
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit

NAMES = ("total_loss", "summed_loss", "sum_of_losses")
READS_GRADIENTS = frozenset({"step", "zero_grad", "grad", "backward", "clip_grad_norm_", "clip_grad_value_"})
"""Attributes by which a round of the loop uses, changes or adds to the gradients."""


def sum_losses(context: RepairContext) -> Iterator[Candidate]:
    """Repair a backward in every round of a loop through a graph that the rounds share, if only it is about
    gradients there."""
    site = site_at(context.text, context.finding.span)
    if site is None or not is_plain_walk(site.line):
        return
    tree, walk = site.tree, site.line
    block = tree.parent_of(walk)
    loop = tree.parent_of(block) if block is not None else None
    name = next((name for name in NAMES if name not in _names_in(tree, walk)), None)
    if isinstance(loop, cst.For) and loop.orelse is None and name is not None and _is_only_walk(tree, loop, walk):
        warnings = () if _runs_at_least_once(loop) else ("a loop without a round has no loss",)
        message = f"Sum the losses of the loop: `{name}.backward()` after it"
        edits = tuple(_sum_after_loop(tree, loop, walk, name))
        yield Candidate(message, edits, (), warnings, Difference.ADDED_LOSSES)


SUM_LOSSES = Repair(frozenset({"IP103"}), sum_losses)


def _names_in(tree: Tree, node: cst.CSTNode) -> set[str]:
    scope = tree.scope_of(node)
    return {inner.value for inner in tree.nodes_within(tree.span_of(scope)) if isinstance(inner, cst.Name)}


def _is_only_walk(tree: Tree, loop: cst.For, walk: cst.CSTNode) -> bool:
    """Return whether no other statement of the loop is about gradients."""
    own = set(tree.nodes_within(tree.span_of(walk)))
    others = (node for node in tree.nodes_within(tree.span_of(loop)) if node not in own)
    return not any(isinstance(node, cst.Attribute) and node.attr.value in READS_GRADIENTS for node in others)


def _runs_at_least_once(loop: cst.For) -> bool:
    """Return whether the loop goes over a list in sight or over `range` of a positive number."""
    over = loop.iter
    if isinstance(over, (cst.List, cst.Tuple)):
        return any(not isinstance(element, cst.StarredElement) for element in over.elements)
    if isinstance(over, cst.Call) and isinstance(over.func, cst.Name) and over.func.value == "range":
        stop = over.args[0].value if len(over.args) == 1 else None
        return isinstance(stop, cst.Integer) and stop.evaluated_value > 0
    return False


def _sum_after_loop(tree: Tree, loop: cst.For, walk: cst.CSTNode, name: str) -> Iterator[Edit]:
    start, here = tree.span_of(loop), tree.span_of(walk)
    indent = tree.indentation_of(start.row)
    yield insert_at(tree.file, start.row, start.column, f"{name} = 0\n{indent}")
    yield Edit(f"{name} = {name} + {loss_text(tree, walk, 1)}", here)
    row, column = tree.end_of_block(loop)
    yield insert_at(tree.file, row, column, f"\n{indent}{name}.backward()")
