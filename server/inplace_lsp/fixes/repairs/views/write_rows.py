"""Loop over the indices of a tensor instead of its rows: `y[i] += 1` is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference, is_plain_name
from inplace_lsp.fixes.program.flow import binding_of, is_no_variable
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span, ViewKind

COUNTERS = ("i", "j", "k", "row", "index")


def write_rows_by_index(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write to a row where a `for` takes the pieces out of a named tensor."""
    site, finding = context.site, context.finding
    if site is None:
        return
    loop = next((node for node in site.tree.parents_of(site.statement) if isinstance(node, cst.For)), None)
    made = {view.span.row for view in finding.views_of(ViewKind.MULTI_OUTPUT)}
    if loop is None or site.tree.span_of(loop).row not in made:
        return
    rows = _rows_of(site, loop)
    edits = tuple(_index_rows(site.tree, loop, rows)) if rows is not None else ()
    if rows is not None and edits:
        message = f"Write `{rows.item}` as `{rows.whole}[{rows.counter}]`: `for {edits[0].content}`"
        yield Candidate(message, edits, on_purpose=Difference.PASSES)


WRITE_ROWS_BY_INDEX = Repair(frozenset({"IP203"}), write_rows_by_index)


@dataclass(frozen=True)
class Rows:
    """The subject of a loop: the tensor, the name of a row, the name of its index."""

    whole: str
    item: str
    counter: str


def _rows_of(site: Site, loop: cst.For) -> Rows | None:
    """Read `for row in y`, with a new name for the index, or `for i, row in enumerate(y)`."""
    tree, target, over = site.tree, loop.target, loop.iter
    if isinstance(target, cst.Name) and is_plain_name(over):
        counter = _unused_counter(tree, site.statement)
        return Rows(tree.code_of(over), target.value, counter) if counter else None
    if isinstance(target, cst.Tuple) and isinstance(over, cst.Call) and tree.code_of(over.func) == "enumerate":
        return _read_enumeration(tree, target, over)
    return None


def _read_enumeration(tree: Tree, target: cst.Tuple, call: cst.Call) -> Rows | None:
    names = [element.value.value for element in target.elements if isinstance(element.value, cst.Name)]
    if len(names) != 2 or len(call.args) != 1 or not is_plain_name(call.args[0].value):
        return None
    return Rows(tree.code_of(call.args[0].value), names[1], names[0])


def _index_rows(tree: Tree, loop: cst.For, rows: Rows) -> Iterator[Edit]:
    """Replace `y` by `range(len(y))` and the item by `y[i]`; yield nothing if the name is used otherwise."""
    head, end = tree.span_of(loop.target), tree.span_of(loop.iter)
    uses = [
        node
        for node in tree.nodes_within(tree.span_of(loop.body))
        if isinstance(node, cst.Name) and node.value == rows.item
    ]
    plain = [use for use in uses if not is_no_variable(tree, use)]
    bound = [binding_of(tree, use) for use in plain]
    if any(binding is not None and not isinstance(binding, cst.AugAssign) for binding in bound):
        return
    span = Span(head.file, head.row, head.column, end.end_row, end.end_column)
    yield Edit(f"{rows.counter} in range(len({rows.whole}))", span)
    yield from (Edit(f"{rows.whole}[{rows.counter}]", tree.span_of(use)) for use in plain)


def _unused_counter(tree: Tree, statement: cst.CSTNode) -> str:
    """Return an unused name for the index of a row."""
    function = tree.function_of(statement)
    scope = tree.span_of(function if function is not None else tree.wrapper.module)
    used = {node.value for node in tree.nodes_within(scope) if isinstance(node, cst.Name)}
    return next((counter for counter in COUNTERS if counter not in used), "")
