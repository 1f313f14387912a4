"""A step in every round of a loop over losses of one graph becomes one step behind the loop."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst
from libcst import matchers as m

from inplace_lsp.fixes.program.candidate import Candidate, without_lines
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.site import Site, Tree, site_at, whole_tree
from inplace_lsp.fixes.program.slices import rows_of_saves
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span

WARNING = "one step for all rounds, with the sum of their gradients"


def one_step(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP102 where the step and the `zero_grad` before it are lines of the loop that the backward stands in too."""
    site = site_at(text, finding.span) if finding.code == "IP102" else None
    loop = _loop(site) if site is not None else None
    if site is None or loop is None or not _only_walks(text, site.tree, loop, finding):
        return
    owner = _owner(site.tree, site.line)
    if owner.split(".")[0].split("[")[0] in _names_of_round(loop):
        return  # each round steps an optimizer of its own
    zeros = [one for one in loop.body.body if site.tree.statement_text(one).startswith(f"{owner}.zero_grad(")]
    step = site.tree.code(site.statement)
    if owner and step.startswith(f"{owner}.step(") and len(zeros) <= 1 < len(loop.body.body) - len(zeros):
        edits = [edit for one in zeros for edit in _moved_up(site.tree, one, loop)]
        message = f"Step once, behind the loop: `{step}`"
        yield Candidate(message, (*edits, *_moved_down(site.tree, site.line, loop)), (), (WARNING,))


def _names_of_round(loop: cst.For) -> set[str]:
    """The names that every round binds: what the loop runs through, and what its body assigns."""
    assigned = [one.target for one in m.findall(loop.body, m.AssignTarget()) if isinstance(one, cst.AssignTarget)]
    targets = [loop.target, *assigned]
    return {one.value for target in targets for one in m.findall(target, m.Name()) if isinstance(one, cst.Name)}


def _loop(site: Site) -> cst.For | None:
    """The loop whose body the step is a line of."""
    block = site.tree.parent(site.line)
    loop = site.tree.parent(block) if block is not None else None
    return loop if site.is_alone and isinstance(loop, cst.For) and loop.orelse is None else None


def _only_walks(text: str, tree: Tree, loop: cst.For, finding: Finding) -> bool:
    """Whether the rounds walk a graph that none of them has made."""
    span = tree.span(loop.body)
    whole = whole_tree(text, tree.file)
    if whole is None or any(span.row <= row <= span.end_row for row in rows_of_saves(whole, finding)):
        return False
    backwards = [one.span for one in finding.related if one.role == "backward" and one.span.file == tree.file]
    return any(span.row <= one.row <= span.end_row for one in backwards)


def _owner(tree: Tree, line: cst.CSTNode) -> str:
    """`opt` of `opt.step()`."""
    return tree.statement_text(line).rsplit(".step(", 1)[0]


def _moved_up(tree: Tree, line: cst.CSTNode, loop: cst.For) -> Iterator[Edit]:
    start = tree.span(loop)
    yield insertion(start.file, start.row, start.column, f"{tree.statement_text(line)}\n{tree.indentation(start.row)}")
    yield without_lines(tree, line)


def _moved_down(tree: Tree, line: cst.CSTNode, loop: cst.For) -> Iterator[Edit]:
    indent = tree.indentation(tree.span(loop).row)
    row, column = tree.last_of(loop)
    text = f"\n{indent}{tree.statement_text(line)}"
    here = tree.span(line)
    if tree.last_of(line)[0] == row:  # the last line of the loop
        yield Edit(text.removeprefix("\n"), Span(here.file, here.row, 0, row, column))
        return
    yield without_lines(tree, line)
    yield insertion(here.file, row, column, text)
