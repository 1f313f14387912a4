"""Detach a value that outlives its round: what is written into a buffer, or computed before the loop that uses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import (
    Candidate,
    Difference,
    is_number,
    is_plain_name,
    list_each_and_all,
    shorten_to_line,
)
from inplace_lsp.fixes.program.codes import OLD_GRAPHS
from inplace_lsp.fixes.program.flow import reads_and_bindings
from inplace_lsp.fixes.program.precedence import as_receiver, is_closed
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.slices import find_stale_statements, statements_of
from inplace_lsp.fixes.repairs.order.move_after_backward import find_shared_block
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span


def detach_kept_value(context: RepairContext) -> Iterator[Candidate]:
    """Repair a walk into the graph of an earlier round by a buffer: `self.bank[index] = feature.detach()`."""
    finding = context.finding
    tree = whole_tree(context.text, finding.span.file)
    if tree is None:
        return
    places = [*finding.places_of("saved", tree.file), *finding.places_of("backward", tree.file), finding.span]
    blocks = dict.fromkeys(block for place in places for block in _blocks_run_again(tree, place))
    stores = dict.fromkeys(store for block in blocks for store in _find_stores(tree, block))
    for store in stores:
        kept = shorten_to_line(tree.code_of(store.targets[0].target))
        value = shorten_to_line(f"{as_receiver(store.value, tree.code_of)}.detach()")
        message = f"Keep `{kept}` without its history: `{value}`"
        warning = "no gradient flows into earlier iterations"
        yield Candidate(message, tuple(_detach(tree, store.value)), (), (warning,), Difference.SHORTER_GRAPHS)


def detach_before_loop(context: RepairContext) -> Iterator[Candidate]:
    """Repair a second walk of the graph of a value that was computed before the loop: from there on it is a number."""
    finding = context.finding
    tree = whole_tree(context.text, finding.span.file)
    if tree is None:
        return
    for place in dict.fromkeys(finding.places_of("saved", tree.file)):
        pair = find_shared_block(tree, place, finding.span)
        if pair is None or not isinstance(pair[1], (cst.For, cst.While)):
            continue
        before = statements_of(tree.parent_of(pair[1]))
        stale = find_stale_statements(tree, finding, before[: before.index(pair[1])], [pair[1]])
        read, _ = reads_and_bindings(tree, pair[1])
        last = [statement for statement in stale if read.keys() & {*reads_and_bindings(tree, statement)[1]}]
        yield from _detach_assigned_values(tree, last)
        return


DETACH_KEPT_VALUE = Repair(OLD_GRAPHS, detach_kept_value)
DETACH_BEFORE_LOOP = Repair(OLD_GRAPHS, detach_before_loop)


def _blocks_run_again(tree: Tree, place: Span) -> Iterator[cst.BaseSuite]:
    """Yield the bodies around a place that may run many times: of a loop, and of a method, which keeps attributes."""
    for node in tree.nodes_around(place):
        if isinstance(node, (cst.For, cst.While, cst.FunctionDef)):
            yield node.body


def _find_stores(tree: Tree, block: cst.BaseSuite) -> Iterator[cst.Assign]:
    """Yield the assignments of computed values to items of what the block takes over and does not make itself."""
    read, bound = reads_and_bindings(tree, block)
    is_method = isinstance(tree.parent_of(block), cst.FunctionDef)
    for node in tree.nodes_within(tree.span_of(block)):
        if not isinstance(node, cst.Assign) or len(node.targets) != 1 or is_number(node.value):
            continue
        target = node.targets[0].target
        if not isinstance(target, cst.Subscript) or not is_plain_name(target.value):
            continue
        name = tree.code_of(target.value)
        if name in read and name not in bound and ("." in name or not is_method):
            yield node


def _sets_one_name(statement: cst.Assign) -> bool:
    return len(statement.targets) == 1 and isinstance(statement.targets[0].target, cst.Name)


def _detach_assigned_values(tree: Tree, statements: Iterable[cst.CSTNode]) -> Iterator[Candidate]:
    """Detach the value of each assignment to one name, then all of them."""
    lines = (statement.body[0] for statement in statements if isinstance(statement, cst.SimpleStatementLine))
    found = [line for line in lines if isinstance(line, cst.Assign) and _sets_one_name(line)]
    for some in list_each_and_all(found):
        names = "`, `".join(tree.code_of(one.targets[0].target) for one in some)
        rows = ", ".join(str(tree.span_of(one).row) for one in some)
        edits = tuple(edit for one in some for edit in _detach(tree, one.value))
        message = f"Detach `{names}` on line {rows}"
        yield Candidate(message, edits, (), (f"`{names}` gets no gradient",), Difference.SHORTER_GRAPHS)


def _detach(tree: Tree, value: cst.BaseExpression) -> Iterator[Edit]:
    span = tree.span_of(value)
    if is_closed(value):
        yield insert_at(span.file, *tree.end_with_parentheses(value), ".detach()")
    else:
        yield insert_at(span.file, span.row, span.column, "(")
        yield insert_at(span.file, span.end_row, span.end_column, ").detach()")
