"""Which assignments of a block lead from what a graph has saved to what is used behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.flow import uses
from inplace_lsp.fixes.program.passed_on import calls_of
from inplace_lsp.fixes.program.site import Tree
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
    saved = set(rows_of_saves(tree, finding))
    stale: list[cst.CSTNode] = []
    names: set[str] = set()
    for statement in before:
        span = tree.span(statement)
        reads, writes = uses(tree, statement)
        hit = any(span.row <= row <= span.end_row for row in saved) or names & {*reads}
        if statement in needed and hit:
            if not (_is_one_assignment(statement) or _is_only_conditional(tree, statement)):
                return []
            stale.append(statement)
            names |= {*writes}
    return stale


def rows_of_saves(tree: Tree, finding: Finding) -> Iterator[int]:
    """Where the finding says that something was saved, and where the functions and modules are called, one through the
    other, in which that was."""
    waiting = [one.span for one in finding.related if one.role == "saved" and one.span.file == tree.file]
    seen: set[cst.CSTNode] = set()
    while waiting:
        place = waiting.pop()
        yield place.row
        functions = [one for one in tree.covering(place) if isinstance(one, cst.FunctionDef)]
        if functions and functions[-1] not in seen:
            seen.add(functions[-1])
            calls = [*calls_of(tree, functions[-1].name.value), *_runs(tree, functions[-1])]
            waiting += [tree.span(one) for one in calls]


def _runs(tree: Tree, forward: cst.FunctionDef) -> Iterator[cst.Call]:
    """The calls of what an assignment has made an object of the class of `forward`: `net(x)`, `self.nets[0](x)`."""
    owner = next((one for one in tree.parents(forward) if isinstance(one, cst.ClassDef)), None)
    if owner is None or forward.name.value != "forward":
        return
    nodes = tree.every()
    made = [one for one in nodes if isinstance(one, cst.Assign) and _names_call(tree, one.value, owner.name.value)]
    names = {tree.code(target.target) for one in made for target in one.targets}
    for node in nodes:
        function = node.func if isinstance(node, cst.Call) else None
        whole = function.value if isinstance(function, cst.Subscript) else function
        if isinstance(node, cst.Call) and whole is not None and tree.code(whole) in names:
            yield node


def _names_call(tree: Tree, value: cst.BaseExpression, name: str) -> bool:
    """Whether a class of that name is called somewhere in an expression."""
    return any(tree.code(one.func).rsplit(".", 1)[-1] == name for one in tree.calls_in(value))


def source_of(tree: Tree, statement: cst.CSTNode, indent: str) -> str:
    """The text of a statement, as it is to stand behind `indent`, without the lines and white space round it."""
    if isinstance(statement, cst.SimpleStatementLine):
        return tree.code(statement.body[0]).strip()
    return tree.statement_text(statement).replace("\n", f"\n{indent}")


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


def _is_only_conditional(tree: Tree, statement: cst.CSTNode) -> bool:
    """An `if` that calls nothing to decide, over assignments."""
    if not isinstance(statement, cst.If) or statement.orelse is not None:
        return False
    block = isinstance(statement.body, cst.IndentedBlock)
    return block and not tree.calls_in(statement.test) and all(map(_is_one_assignment, statement.body.body))
