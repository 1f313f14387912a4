"""A loss that went through parameters which a step has changed since is computed again behind the step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.candidate import Candidate
from inplace_lsp.fixes.edits import insertion
from inplace_lsp.fixes.flow import uses
from inplace_lsp.fixes.move_behind import between, in_one_block
from inplace_lsp.fixes.site import Tree, tree_at
from inplace_lsp.hazards.finding import Finding


def recompute(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP102, where step, backward and what leads to the loss are statements of one block."""
    backwards = [one.span for one in finding.related if one.role == "backward" and one.span.file == finding.span.file]
    last = max(backwards, key=lambda span: span.row, default=None)
    tree = tree_at(text, finding.span) if finding.code == "IP102" and last is not None else None
    pair = in_one_block(tree, finding.span, last) if tree is not None and last is not None else None
    if tree is None or pair is None or tree.span(pair[0]).row >= tree.span(pair[1]).row:
        return
    stale = _stale(tree, finding, *pair)
    if not stale:
        return
    here = tree.span(pair[0])
    row, column = tree.last_of(pair[0])
    indent = tree.indentation(here.row)
    lines = [tree.code(one).strip("\n") for one in stale]
    content = "".join(f"\n{indent}{line.strip()}" for line in lines)
    names = "`, `".join(name for one in stale for name in uses(tree, one)[1])
    yield Candidate(
        f"Compute `{names}` again behind the step",
        (insertion(here.file, row, column, content),),
        (),
        (f"`{names}` then: from the new parameters",),
    )


def _stale(tree: Tree, finding: Finding, step: cst.CSTNode, backward: cst.CSTNode) -> list[cst.CSTNode]:
    """The assignments in front of the step that the backward walks from where the old parameters were saved."""
    block = tree.parent(step)
    body: Sequence[cst.CSTNode] = block.body if isinstance(block, (cst.IndentedBlock, cst.Module)) else ()
    before = list(body[: list(body).index(step)])
    needed = _slice(tree, before, [*between(tree, step, backward), backward])
    saved = {one.span.row for one in finding.related if one.role == "saved"}
    stale: list[cst.CSTNode] = []
    names: set[str] = set()
    for statement in before:
        span = tree.span(statement)
        reads, writes = uses(tree, statement)
        hit = any(span.row <= row <= span.end_row for row in saved) or names & {*reads}
        if statement in needed and hit:
            if not _is_one_assignment(statement):
                return []
            stale.append(statement)
            names |= {*writes}
    return stale


def _slice(tree: Tree, before: Sequence[cst.CSTNode], behind: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    """The statements of `before` that bind what the statements `behind` read, directly or not."""
    wanted = {name for one in behind for name in uses(tree, one)[0]}
    found = []
    for statement in reversed(before):
        reads, writes = uses(tree, statement)
        if wanted & {*writes}:
            found.append(statement)
            wanted = (wanted - {*writes}) | {*reads}
    return found


def _is_one_assignment(statement: cst.CSTNode) -> bool:
    """Whether the statement may simply be made twice."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    return isinstance(statement.body[0], (cst.Assign, cst.AnnAssign))
