"""Move a forward pass into the loop or closure that calls backward every time: each round builds its own graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference, remove_paragraph
from inplace_lsp.fixes.program.codes import OLD_GRAPHS
from inplace_lsp.fixes.program.flow import reads_and_bindings
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.slices import find_stale_statements, indented_source, statements_of
from inplace_lsp.fixes.repairs.order.move_after_backward import find_shared_block, statements_between
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span

Block: TypeAlias = cst.For | cst.While | cst.FunctionDef


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
        if stale and not _is_computed_there(tree, stale, pair[1]):
            for target in _blocks_with(tree, pair[1], finding.span):
                edits = (*_remove_unused_statements(tree, stale, pair[1], target), _insert_in_body(tree, stale, target))
                names = "`, `".join(name for statement in stale for name in reads_and_bindings(tree, statement)[1])
                yield _compute_inside(names, target, edits)
            return


def _is_computed_there(tree: Tree, stale: list[cst.CSTNode], block: cst.CSTNode) -> bool:
    """Return whether a block computes a value of the statements once more, by the same expression: they keep an old
    value to compare with, which is none any more if both are computed with the same parameters."""
    lines = (line for statement in stale if isinstance(statement, cst.SimpleStatementLine) for line in statement.body)
    kept = {tree.code_of(line.value) for line in lines if isinstance(line, cst.Assign) and tree.calls_in(line.value)}
    return any(tree.code_of(call) in kept for call in tree.calls_in(block))


def _blocks_with(tree: Tree, outer: Block, place: Span) -> Iterator[Block]:
    """Yield the outer loop or function, and the loops in it around a place: one of these may be what takes steps."""
    inner = [node for node in tree.nodes_around(place) if isinstance(node, (cst.For, cst.While))]
    for block in (outer, *(loop for loop in inner if outer in tree.parents_of(loop))):
        if isinstance(block.body, cst.IndentedBlock):
            yield block


def _compute_inside(names: str, into: Block, edits: tuple[Edit, ...]) -> Candidate:
    is_function = isinstance(into, cst.FunctionDef)
    where = f"every call of `{into.name.value}`" if isinstance(into, cst.FunctionDef) else "every iteration of the loop"
    warning = f"computed with the parameters of that {'call' if is_function else 'iteration'}"
    return Candidate(f"Compute `{names}` in {where}", edits, (), (warning,), Difference.ELEMENTS)


MOVE_FORWARD_INTO_LOOP = Repair(OLD_GRAPHS, move_forward_into_loop)


def _insert_in_body(tree: Tree, stale: list[cst.CSTNode], target: Block) -> Edit:
    """Insert the statements before the first statement of the loop."""
    start = tree.span_of(target.body.body[0])
    indent = tree.indentation_of(start.row)
    content = "".join(f"{indented_source(tree, statement, indent)}\n{indent}" for statement in stale)
    return insert_at(tree.file, start.row, start.column, content)


def _remove_unused_statements(tree: Tree, stale: list[cst.CSTNode], loop: Block, target: Block) -> Iterator[Edit]:
    """Remove the statements outside the loop if only the body of `target`, which is or is in it, uses their results."""
    block = statements_of(tree.parent_of(loop))
    others = [*statements_between(tree, stale[0], loop), *block[block.index(loop) + 1 :]]
    read = {name for other in others if other not in stale for name in reads_and_bindings(tree, other)[0]}
    read |= _names_read_beside(tree, loop, target)
    for statement in stale:
        if not read & {*reads_and_bindings(tree, statement)[1]}:
            yield remove_paragraph(tree, statement)


def _names_read_beside(tree: Tree, loop: Block, target: Block) -> set[str]:
    """Return the names that a loop reads outside the body of another one."""
    inside = tree.span_of(target.body)
    first, last = (inside.row, inside.column), (inside.end_row, inside.end_column)
    reads, _ = reads_and_bindings(tree, loop)
    return {name for name, places in reads.items() if any(not first <= place < last for place in places)}
