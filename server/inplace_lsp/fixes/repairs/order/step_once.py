"""Take one optimizer step after a loop over losses of one graph instead of one in every round."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst
from libcst import matchers as m

from inplace_lsp.fixes.program.candidate import Candidate, Difference, remove_lines
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree, whole_tree
from inplace_lsp.fixes.program.slices import save_rows
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span

WARNING = "one step for all iterations, with the sum of their gradients"


def step_once_after_loop(context: RepairContext) -> Iterator[Candidate]:
    """Repair a step where it and its `zero_grad` are lines of the loop that contains the backward."""
    text, finding, site = context.text, context.finding, context.site
    loop = _enclosing_loop(site) if site is not None else None
    if site is None or loop is None or not _only_calls_backward(text, site.tree, loop, finding):
        return
    tree, lines = site.tree, loop.body.body
    owner = _optimizer_of(tree, site.line)
    if owner.split(".")[0].split("[")[0] in _names_of_round(loop):
        return  # each round steps an optimizer of its own
    zeros = [statement for statement in lines if tree.statement_text(statement).startswith(f"{owner}.zero_grad(")]
    step = tree.code_of(site.statement)
    if owner and step.startswith(f"{owner}.step(") and len(zeros) <= 1 < len(lines) - len(zeros):
        edits = [edit for zero in zeros for edit in _move_before_loop(tree, zero, loop)]
        edits += _move_after_loop(tree, site.line, loop)
        yield Candidate(f"Step once, after the loop: `{step}`", tuple(edits), (), (WARNING,), Difference.FEWER_STEPS)


STEP_ONCE_AFTER_LOOP = Repair(frozenset({"IP102"}), step_once_after_loop)


def _names_of_round(loop: cst.For) -> set[str]:
    """Return the names that every round binds: the loop's target and the assignments in its body."""
    assigned = [match.target for match in m.findall(loop.body, m.AssignTarget()) if isinstance(match, cst.AssignTarget)]
    targets = [loop.target, *assigned]
    return {match.value for target in targets for match in m.findall(target, m.Name()) if isinstance(match, cst.Name)}


def _enclosing_loop(site: Site) -> cst.For | None:
    """Return the loop that has the step as a line of its body."""
    block = site.tree.parent_of(site.line)
    loop = site.tree.parent_of(block) if block is not None else None
    return loop if site.is_alone and isinstance(loop, cst.For) and loop.orelse is None else None


def _only_calls_backward(text: str, tree: Tree, loop: cst.For, finding: Finding) -> bool:
    """Return whether the rounds call backward on a graph that none of them has built."""
    span = tree.span_of(loop.body)
    whole = whole_tree(text, tree.file)
    if whole is None or any(span.row <= row <= span.end_row for row in save_rows(whole, finding)):
        return False
    return any(span.row <= place.row <= span.end_row for place in finding.places_of("backward", tree.file))


def _optimizer_of(tree: Tree, line: cst.CSTNode) -> str:
    """Return `opt` for `opt.step()`."""
    return tree.statement_text(line).rsplit(".step(", 1)[0]


def _move_before_loop(tree: Tree, line: cst.CSTNode, loop: cst.For) -> Iterator[Edit]:
    start = tree.span_of(loop)
    yield insert_at(
        start.file, start.row, start.column, f"{tree.statement_text(line)}\n{tree.indentation_of(start.row)}"
    )
    yield remove_lines(tree, line)


def _move_after_loop(tree: Tree, line: cst.CSTNode, loop: cst.For) -> Iterator[Edit]:
    indent = tree.indentation_of(tree.span_of(loop).row)
    row, column = tree.end_of_block(loop)
    text = f"\n{indent}{tree.statement_text(line)}"
    here = tree.span_of(line)
    if tree.end_of_block(line)[0] == row:  # the last line of the loop
        yield Edit(text.removeprefix("\n"), Span(here.file, here.row, 0, row, column))
        return
    yield remove_lines(tree, line)
    yield insert_at(here.file, row, column, text)
