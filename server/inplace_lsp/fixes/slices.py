"""Which assignments of a block lead from what a graph has saved to what is used behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.flow import uses
from inplace_lsp.fixes.passed_on import calls_of
from inplace_lsp.fixes.site import Tree
from inplace_lsp.hazards.finding import Finding


def statements_of(block: cst.CSTNode | None) -> list[cst.CSTNode]:
    """The statements of a block or module."""
    return list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []


def stale_of(
    tree: Tree, finding: Finding, before: Sequence[cst.CSTNode], behind: Sequence[cst.CSTNode]
) -> list[cst.CSTNode]:
    """The assignments among `before` in which, and after which, `behind` gets what the finding says was saved.

    None of them where one is more than an assignment.
    """
    needed = _slice(tree, before, behind)
    saved = set(_rows(tree, finding))
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


def _rows(tree: Tree, finding: Finding) -> Iterator[int]:
    """Where the finding says that something was saved, and where the function is called in which that was."""
    for place in (one.span for one in finding.related if one.role == "saved" and one.span.file == tree.file):
        yield place.row
        functions = [one for one in tree.covering(place) if isinstance(one, cst.FunctionDef)]
        calls = calls_of(tree, functions[-1].name.value) if functions else []
        yield from (tree.span(one).row for one in calls)


def source_of(tree: Tree, statement: cst.CSTNode) -> str:
    """The text of a statement without the lines and white space round it."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else statement
    return tree.code(small).strip()


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
