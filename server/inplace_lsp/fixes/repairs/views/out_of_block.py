"""A view made under `no_grad` may not be written in grad mode: it is made outside of the block."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.site import Site, Tree, site_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span, View, ViewKind

OFF = ("no_grad", "inference_mode")


def out_of_block(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP204, where the view is the only statement of its block, or the last one."""
    views = (one for one in finding.story if isinstance(one, View) and finding.code == "IP204")
    made = (one.span for one in views if one.tensor.view in {ViewKind.NO_GRAD, ViewKind.INFERENCE})
    for place in dict.fromkeys(one for one in made if one.file == finding.span.file):
        site = site_at(text, place)
        yield from _undecorated(site) if site is not None else ()
        block = _block(site) if site is not None else None
        if site is None or block is None:
            continue
        edits = tuple(_taken_out(site, block))
        if edits:
            manager = site.tree.code(block.items[0].item)
            yield Candidate(f"Make the view in grad mode: take line {place.row} out of `{manager}`", edits)


def _undecorated(site: Site) -> Iterator[Candidate]:
    """Without `@torch.no_grad()`, where making the view is all that the function does."""
    function = site.tree.function_of(site.statement)
    body = list(function.body.body) if isinstance(function, cst.FunctionDef) else []
    if not isinstance(function, cst.FunctionDef) or body[function.get_docstring() is not None :] != [site.line]:
        return
    for one in function.decorators:
        code = site.tree.code(one.decorator)
        if code.removesuffix("()").rsplit(".", 1)[-1] in OFF:
            span = site.tree.span(one)
            edit = Edit("", Span(span.file, span.row, 0, span.row + 1, 0))
            yield Candidate(f"Make the view in grad mode: without `@{code}` on line {span.row}", (edit,))


def _block(site: Site) -> cst.With | None:
    """The `with torch.no_grad():` that the statement stands in directly."""
    body = site.tree.parent(site.line)
    block = site.tree.parent(body) if body is not None else None
    if not isinstance(block, cst.With) or not isinstance(block.body, cst.IndentedBlock) or len(block.items) != 1:
        return None
    item = block.items[0].item
    name = site.tree.code(item.func).rsplit(".", 1)[-1] if isinstance(item, cst.Call) else ""
    return block if name in OFF and block.body.body[-1] is site.line else None


def _taken_out(site: Site, block: cst.With) -> Iterator[Edit]:
    tree = site.tree
    head, line = tree.span(block), tree.span(site.line)
    deeper = len(tree.indentation(line.row)) - len(tree.indentation(head.row))
    if deeper <= 0 or not _may_shift(tree, line):
        return
    if len(block.body.body) == 1:
        body = next(iter(block.body.body))
        first = line.row - len(body.leading_lines) if isinstance(body, cst.SimpleStatementLine) else line.row
        yield Edit("", Span(tree.file, head.row, 0, first, 0))
    first = line.row
    for row in range(first, line.end_row + 1):
        yield Edit("", Span(tree.file, row, 0, row, min(deeper, len(tree.indentation(row)))))


def _may_shift(tree: Tree, line: Span) -> bool:
    """Whether no string goes over several rows: its white space is not ours to change."""
    nodes = (one for one in tree.within(line) if isinstance(one, (cst.SimpleString, cst.FormattedString)))
    return all(tree.span(one).row == tree.span(one).end_row for one in nodes)
