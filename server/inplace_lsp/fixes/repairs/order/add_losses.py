"""Add losses of one graph and walk it once: `(first + second).backward()`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference, remove_lines, shorten_to_line
from inplace_lsp.fixes.program.flow import reads_and_bindings
from inplace_lsp.fixes.program.precedence import as_right_operand
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.slices import statements_of
from inplace_lsp.fixes.repairs.order.move_after_backward import find_shared_block
from inplace_lsp.hazards.finding import Edit


def add_losses(context: RepairContext) -> Iterator[Candidate]:
    """Repair a second backward in the block of the first, with nothing but assignments between them."""
    finding = context.finding
    tree = whole_tree(context.text, finding.span.file)
    if tree is None:
        return
    for place in finding.places_of("backward", finding.span.file):
        pair = find_shared_block(tree, place, finding.span)
        walks = _find_walks(tree, *pair) if pair is not None else []
        if len(walks) > 1:
            total = " + ".join(loss_text(tree, walk, at) for at, walk in enumerate(walks))
            content = f"({total}).backward()"
            last = Edit(content, tree.span_of(walks[-1].body[0]))
            edits = (*(remove_lines(tree, walk) for walk in walks[:-1]), last)
            message = f"Add the losses: `{shorten_to_line(content)}`"
            yield Candidate(message, edits, (), (), Difference.ADDED_LOSSES)
            return


ADD_LOSSES = Repair(frozenset({"IP103"}), add_losses)


def _find_walks(tree: Tree, first: cst.CSTNode, second: cst.CSTNode) -> list[cst.SimpleStatementLine]:
    """Return the backwards from `first` on that may be one: no statement between them does more than compute, or binds
    a loss anew. Return none if the second is not among them."""
    block: Sequence[cst.CSTNode] = statements_of(tree.parent_of(first))
    walks: list[cst.SimpleStatementLine] = []
    losses: set[str] = set()
    for statement in block[block.index(first) :]:
        if isinstance(statement, cst.SimpleStatementLine) and is_plain_walk(statement):
            walks.append(statement)
            losses |= {*reads_and_bindings(tree, statement)[0]}
        elif not _only_assigns(tree, statement, losses):
            break
    return walks if first in walks and second in walks else []


def is_plain_walk(statement: cst.CSTNode) -> bool:
    """Return whether a line is a `loss.backward()` with no argument but `retain_graph`."""
    call = call_of(statement)
    if call is None or not isinstance(call.func, cst.Attribute) or call.func.attr.value != "backward":
        return False
    return all(argument.keyword is not None and argument.keyword.value == "retain_graph" for argument in call.args)


def call_of(statement: cst.CSTNode) -> cst.Call | None:
    """Return the call that is the whole of a line."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    only = statement.body[0]
    return only.value if isinstance(only, cst.Expr) and isinstance(only.value, cst.Call) else None


def _only_assigns(tree: Tree, statement: cst.CSTNode, losses: set[str]) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine) or not isinstance(statement.body[0], cst.Assign):
        return False
    _, bound = reads_and_bindings(tree, statement)
    return not losses & {*bound} and "grad" not in tree.code_of(statement)


def loss_text(tree: Tree, walk: cst.CSTNode, at: int) -> str:
    """Return the loss that a line `loss.backward()` walks from, as the term number `at` of a sum."""
    call = call_of(walk)
    loss = call.func.value if call is not None and isinstance(call.func, cst.Attribute) else cst.Name("")
    return as_right_operand(loss, "+", tree.code_of) if at else tree.code_of(loss)
