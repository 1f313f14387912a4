"""Move a forward pass into the loop or closure that calls backward every time: each round builds its own graph."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, remove_lines
from inplace_lsp.fixes.program.edits import insert_at
from inplace_lsp.fixes.program.flow import reads_and_bindings
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.slices import find_stale_statements, indented_source, statements_of
from inplace_lsp.fixes.repairs.order.move_behind import find_shared_block, statements_between
from inplace_lsp.hazards.finding import Edit


def move_forward_into_loop(context: RepairContext) -> Iterator[Candidate]:
    """Repair a step or a second backward whose graph is computed by assignments before the loop or function."""
    finding = context.finding
    tree = whole_tree(context.text, finding.span.file)
    if tree is None:
        return
    for place in dict.fromkeys(finding.places_of("saved", finding.span.file)):
        pair = find_shared_block(tree, place, finding.span)
        if pair is None or not isinstance(pair[1], (cst.For, cst.While, cst.FunctionDef)):
            continue
        block = statements_of(tree.parent_of(pair[1]))
        stale = find_stale_statements(tree, finding, block[: block.index(pair[1])], [pair[1]])
        if stale and isinstance(pair[1].body, cst.IndentedBlock):
            edits = (*_remove_unused(tree, stale, pair[1]), _insert_in_body(tree, stale, pair[1].body))
            names = "`, `".join(name for statement in stale for name in reads_and_bindings(tree, statement)[1])
            yield _compute_inside(names, pair[1], edits)
            return


def _compute_inside(names: str, into: cst.CSTNode, edits: tuple[Edit, ...]) -> Candidate:
    is_function = isinstance(into, cst.FunctionDef)
    where = f"every call of `{into.name.value}`" if isinstance(into, cst.FunctionDef) else "every iteration of the loop"
    warning = f"computed with the parameters of that {'call' if is_function else 'iteration'}"
    return Candidate(f"Compute `{names}` in {where}", edits, (), (warning,))


MOVE_FORWARD_INTO_LOOP = Repair(frozenset({"IP102", "IP103"}), move_forward_into_loop)


def _insert_in_body(tree: Tree, stale: list[cst.CSTNode], body: cst.IndentedBlock) -> Edit:
    """Insert the statements before the first statement of the loop."""
    start = tree.span_of(body.body[0])
    indent = tree.indentation_of(start.row)
    content = "".join(f"{indented_source(tree, statement, indent)}\n{indent}" for statement in stale)
    return insert_at(tree.file, start.row, start.column, content)


def _remove_unused(tree: Tree, stale: list[cst.CSTNode], loop: cst.CSTNode) -> Iterator[Edit]:
    """Remove the statements outside the loop if only the loop uses their results."""
    block = statements_of(tree.parent_of(loop))
    others = [*statements_between(tree, stale[0], loop), *block[block.index(loop) + 1 :]]
    read = {name for other in others if other not in stale for name in reads_and_bindings(tree, other)[0]}
    for statement in stale:
        if not read & {*reads_and_bindings(tree, statement)[1]}:
            yield remove_lines(tree, statement, behind=_count_blank_lines(tree, statement))


def _count_blank_lines(tree: Tree, statement: cst.CSTNode) -> int:
    """Count the blank lines after a statement to remove with it: all, if there are some before it too."""
    row, end = tree.span_of(statement).row, tree.end_of_block(statement)[0]
    lines = tree.wrapper.module.code.split("\n")
    behind = list(takewhile(lambda line: not line.strip(), lines[end:]))
    return len(behind) if row > 1 and not lines[row - 2].strip() and end + len(behind) < len(lines) else 0
