"""Detach a loss from parameters that it passes through but does not train: `judge(fake.detach())`,
`log_prob * advantage.detach()`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference
from inplace_lsp.fixes.program.flow import binding_of, is_no_variable, reads_and_bindings
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.fixes.program.slices import find_needed_statements, find_stale_statements, statements_of
from inplace_lsp.fixes.repairs.order.move_after_backward import find_write_and_backward, statements_between
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit


def detach_other_network(context: RepairContext) -> Iterator[Candidate]:
    """Repair a step where a result of the stepped parameters is an argument or operand on the way to the loss.

    The comparison of the training tells whether a step still needs a gradient there.
    """
    text, finding = context.text, context.finding
    for tree, (step, backward) in find_write_and_backward(text, finding):
        block = statements_of(tree.parent_of(step))
        before, behind = block[: block.index(step)], [*statements_between(tree, step, backward), backward]
        stale = find_stale_statements(tree, finding, before, behind)
        made = {name for assignment in stale for name in reads_and_bindings(tree, assignment)[1]}
        for statement in (*find_needed_statements(tree, [*before, *behind[:-1]], [backward]), backward):
            yield from _detach_operands(tree, statement, made)


DETACH_OTHER_NETWORK = Repair(frozenset({"IP102"}), detach_other_network)


def _detach_operands(tree: Tree, statement: cst.CSTNode, made: set[str]) -> Iterator[Candidate]:
    """Detach what the calls and operators in a statement take of those names."""
    taken = [node for node in _variable_operands(tree, statement) if tree.code_of(node) in made]
    if taken:
        row = tree.span_of(taken[0]).row
        names = "`, `".join(dict.fromkeys(map(tree.code_of, taken)))
        warning = f"`{names}` gets no gradient of this loss"
        edits = tuple(_append_detach(tree, taken))
        yield Candidate(f"Detach `{names}` on line {row}", edits, (), (warning,), Difference.UNREAD_GRADIENTS)


def _variable_operands(tree: Tree, statement: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """Yield the variables that are arguments of calls or operands, each once."""
    for node in tree.nodes_within(tree.span_of(statement)):
        for taken in _operands_of(node):
            if isinstance(taken, (cst.Name, cst.Attribute)) and not is_no_variable(tree, taken):
                yield taken


def _operands_of(node: cst.CSTNode) -> list[cst.BaseExpression]:
    if isinstance(node, cst.Call):
        return [argument.value for argument in node.args]
    return [node.left, node.right] if isinstance(node, cst.BinaryOperation) else []


def _append_detach(tree: Tree, taken: Sequence[cst.BaseExpression]) -> Iterator[Edit]:
    for node in taken:
        if binding_of(tree, node) is None:
            end = tree.span_of(node)
            yield insert_at(end.file, end.end_row, end.end_column, ".detach()")
