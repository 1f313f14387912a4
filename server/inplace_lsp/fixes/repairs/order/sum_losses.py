"""Sum the losses of a loop and walk their graph once, after it: `total_loss.backward()`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference, shorten_to_line
from inplace_lsp.fixes.program.gradient_readers import find_unseen_calls, hands_control_back, reads_gradients
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, site_at, whole_tree
from inplace_lsp.fixes.repairs.order.add_losses import call_of, is_plain_walk, loss_text
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit

NAMES = ("total_loss", "summed_loss", "sum_of_losses")


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
        none = () if _runs_at_least_once(loop) else ("a loop without a round has no loss",)
        warnings = (*none, *_warn_about_calls(context, tree, loop, walk))
        message = f"Sum the losses of the loop: `{name}.backward()` after it"
        edits = tuple(_sum_after_loop(tree, loop, walk, name))
        yield Candidate(message, edits, (), warnings, Difference.ADDED_LOSSES)


SUM_LOSSES = Repair(frozenset({"IP103"}), sum_losses)


def _names_in(tree: Tree, node: cst.CSTNode) -> set[str]:
    scope = tree.scope_of(node)
    return {inner.value for inner in tree.nodes_within(tree.span_of(scope)) if isinstance(inner, cst.Name)}


def _is_only_walk(tree: Tree, loop: cst.For, walk: cst.CSTNode) -> bool:
    """Return whether no other statement of the loop is about gradients, or hands control to who may look at them."""
    others = _find_others(tree, loop, walk)
    return not reads_gradients(others) and not hands_control_back(others)


def _find_others(tree: Tree, loop: cst.For, walk: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the nodes of the loop but the call of `backward` itself: the loss that it starts from is still computed in
    each round."""
    call = call_of(walk)
    own = {call, call.func, call.func.attr} if call is not None and isinstance(call.func, cst.Attribute) else set()
    return [node for node in tree.nodes_within(tree.span_of(loop)) if node not in own]


def _warn_about_calls(context: RepairContext, tree: Tree, loop: cst.For, walk: cst.CSTNode) -> Iterator[str]:
    """Yield a warning about the calls of the loop whose code is not in sight, or looks at gradients."""
    whole = whole_tree(context.text, context.file)
    others = _find_others(tree, loop, walk)
    unseen = list(find_unseen_calls(whole, others)) if whole is not None else tree.calls_in(loop)
    names = dict.fromkeys(shorten_to_line(tree.code_of(call.func)) for call in unseen)
    if names:
        yield f"`{'`, `'.join(names)}` may look at gradients that are not there yet"


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
