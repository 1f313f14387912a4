"""A forward pass in front of a loop, or a closure, that walks it every time: each round makes its own graph."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, without_lines
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.flow import uses
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.fixes.program.slices import source_of, stale_of, statements_of
from inplace_lsp.fixes.repairs.order.move_behind import between, in_one_block
from inplace_lsp.hazards.finding import Edit, Finding


def into_loop(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP102 and IP103, where what the backward walks again was computed by assignments in front of the loop or the
    function it stands in."""
    tree = whole_tree(text, finding.span.file) if finding.code in {"IP102", "IP103"} else None
    file = finding.span.file
    for place in dict.fromkeys(one.span for one in finding.related if one.role == "saved" and one.span.file == file):
        pair = in_one_block(tree, place, finding.span) if tree is not None else None
        if tree is None or pair is None or not isinstance(pair[1], (cst.For, cst.While, cst.FunctionDef)):
            continue
        block = statements_of(tree.parent(pair[1]))
        stale = stale_of(tree, finding, block[: block.index(pair[1])], [pair[1]])
        if stale and isinstance(pair[1].body, cst.IndentedBlock):
            names = "`, `".join(name for one in stale for name in uses(tree, one)[1])
            edits = (*_out(tree, stale, pair[1]), _in(tree, stale, pair[1].body))
            function = pair[1].name.value if isinstance(pair[1], cst.FunctionDef) else ""
            warnings = (f"`{names}` then: from the parameters of the {'call' if function else 'round'}",)
            where = f"every call of `{function}`" if function else "every round of the loop"
            yield Candidate(f"Compute `{names}` in {where}", edits, (), warnings)
            return


def _in(tree: Tree, stale: list[cst.CSTNode], body: cst.IndentedBlock) -> Edit:
    """The statements in front of the first one of the loop."""
    start = tree.span(body.body[0])
    indent = tree.indentation(start.row)
    content = "".join(f"{source_of(tree, one, indent)}\n{indent}" for one in stale)
    return insertion(tree.file, start.row, start.column, content)


def _out(tree: Tree, stale: list[cst.CSTNode], loop: cst.CSTNode) -> Iterator[Edit]:
    """Away with them where they stand, if nothing but the loop uses what they compute."""
    block = statements_of(tree.parent(loop))
    others = [*between(tree, stale[0], loop), *block[block.index(loop) + 1 :]]
    read = {name for one in others if one not in stale for name in uses(tree, one)[0]}
    for statement in stale:
        if not read & {*uses(tree, statement)[1]}:
            yield without_lines(tree, statement, behind=_blank_lines(tree, statement))


def _blank_lines(tree: Tree, statement: cst.CSTNode) -> int:
    """How many blank lines behind a statement go with it: all, if there are some in front of it as well."""
    row, end = tree.span(statement).row, tree.last_of(statement)[0]
    lines = tree.wrapper.module.code.split("\n")
    behind = list(takewhile(lambda line: not line.strip(), lines[end:]))
    return len(behind) if row > 1 and not lines[row - 2].strip() and end + len(behind) < len(lines) else 0
