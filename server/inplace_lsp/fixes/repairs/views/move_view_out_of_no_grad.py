"""Make a view outside of `no_grad`: one made inside may not be written in grad mode."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree, site_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span, View, ViewKind

OFF = ("no_grad", "inference_mode")


def move_view_out_of_no_grad(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write to a view where the view is the only statement of its block, or the last one."""
    text, finding = context.text, context.finding
    views = (event for event in finding.story if isinstance(event, View))
    made = (view.span for view in views if view.tensor.view in {ViewKind.NO_GRAD, ViewKind.INFERENCE})
    for place in dict.fromkeys(span for span in made if span.file == finding.span.file):
        site = site_at(text, place)
        yield from _remove_decorator(site) if site is not None else ()
        block = _no_grad_block(site) if site is not None else None
        if site is None or block is None:
            continue
        edits = tuple(_dedent_statement(site, block))
        if edits:
            manager = site.tree.code_of(block.items[0].item)
            yield Candidate(f"Make the view in grad mode: take line {place.row} out of `{manager}`", edits)


MOVE_VIEW_OUT_OF_NO_GRAD = Repair(frozenset({"IP204"}), move_view_out_of_no_grad)


def _remove_decorator(site: Site) -> Iterator[Candidate]:
    """Remove `@torch.no_grad()` from a function that only makes the view."""
    function = site.tree.function_of(site.statement)
    body = list(function.body.body) if isinstance(function, cst.FunctionDef) else []
    if not isinstance(function, cst.FunctionDef) or body[function.get_docstring() is not None :] != [site.line]:
        return
    for decorator in function.decorators:
        code = site.tree.code_of(decorator.decorator)
        if code.removesuffix("()").rsplit(".", 1)[-1] in OFF:
            span = site.tree.span_of(decorator)
            edit = Edit("", Span(span.file, span.row, 0, span.row + 1, 0))
            yield Candidate(f"Make the view in grad mode: without `@{code}` on line {span.row}", (edit,))


def _no_grad_block(site: Site) -> cst.With | None:
    """Return the `with torch.no_grad():` that directly contains the statement."""
    body = site.tree.parent_of(site.line)
    block = site.tree.parent_of(body) if body is not None else None
    if not isinstance(block, cst.With) or not isinstance(block.body, cst.IndentedBlock) or len(block.items) != 1:
        return None
    item = block.items[0].item
    name = site.tree.code_of(item.func).rsplit(".", 1)[-1] if isinstance(item, cst.Call) else ""
    return block if name in OFF and block.body.body[-1] is site.line else None


def _dedent_statement(site: Site, block: cst.With) -> Iterator[Edit]:
    tree = site.tree
    head, line = tree.span_of(block), tree.span_of(site.line)
    deeper = len(tree.indentation_of(line.row)) - len(tree.indentation_of(head.row))
    if deeper <= 0 or not _can_dedent(tree, line):
        return
    if len(block.body.body) == 1:
        body = next(iter(block.body.body))
        first = line.row - len(body.leading_lines) if isinstance(body, cst.SimpleStatementLine) else line.row
        yield Edit("", Span(tree.file, head.row, 0, first, 0))
    first = line.row
    for row in range(first, line.end_row + 1):
        yield Edit("", Span(tree.file, row, 0, row, min(deeper, len(tree.indentation_of(row)))))


def _can_dedent(tree: Tree, line: Span) -> bool:
    """Return whether no string spans several rows: its white space must stay."""
    nodes = (node for node in tree.nodes_within(line) if isinstance(node, (cst.SimpleString, cst.FormattedString)))
    return all(tree.span_of(node).row == tree.span_of(node).end_row for node in nodes)
