"""A loop over the rows of a tensor may not write them, a loop over their numbers may: `y[i] += 1`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, is_plain
from inplace_lsp.fixes.program.flow import binding_of, is_word
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span, View, ViewKind

COUNTERS = ("i", "j", "k", "row", "index")


def by_row(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For IP203 where a `for` takes the pieces out of a tensor that has a name, one by one."""
    views = [one for one in finding.story if isinstance(one, View) and one.tensor.view is ViewKind.MULTI_OUTPUT]
    loops = [one for one in site.tree.parents(site.statement) if isinstance(one, cst.For)]
    if finding.code != "IP203" or not loops:
        return
    loop, made = loops[0], {one.span.row for one in views}
    rows = _rows_of(site, loop)
    edits = tuple(_numbered(site.tree, loop, rows)) if rows is not None and site.tree.span(loop).row in made else ()
    if rows is not None and edits:
        yield Candidate(f"Write `{rows.item}` as `{rows.whole}[{rows.counter}]`: `for {edits[0].content}`", edits)


@dataclass(frozen=True)
class Rows:
    """What a loop runs through: the tensor, the name of a row, the name of its number."""

    whole: str
    item: str
    counter: str


def _rows_of(site: Site, loop: cst.For) -> Rows | None:
    """`for row in y`, with a new name for the number, or `for i, row in enumerate(y)`."""
    tree, target, over = site.tree, loop.target, loop.iter
    if isinstance(target, cst.Name) and is_plain(over):
        counter = _free(tree, site.statement)
        return Rows(tree.code(over), target.value, counter) if counter else None
    if not isinstance(target, cst.Tuple) or not isinstance(over, cst.Call) or tree.code(over.func) != "enumerate":
        return None
    names = [one.value.value for one in target.elements if isinstance(one.value, cst.Name)]
    plain = len(over.args) == 1 and is_plain(over.args[0].value)
    return Rows(tree.code(over.args[0].value), names[1], names[0]) if plain and len(names) == 2 else None


def _numbered(tree: Tree, loop: cst.For, rows: Rows) -> Iterator[Edit]:
    """`range(len(y))` for `y`, `y[i]` for the item; nothing where the loop or the function uses the name otherwise."""
    head, end = tree.span(loop.target), tree.span(loop.iter)
    uses = [one for one in tree.within(tree.span(loop.body)) if isinstance(one, cst.Name) and one.value == rows.item]
    plain = [one for one in uses if not is_word(tree, one)]
    bound = [binding_of(tree, one) for one in plain]
    if any(one is not None and not isinstance(one, cst.AugAssign) for one in bound):
        return
    span = Span(head.file, head.row, head.column, end.end_row, end.end_column)
    yield Edit(f"{rows.counter} in range(len({rows.whole}))", span)
    yield from (Edit(f"{rows.whole}[{rows.counter}]", tree.span(one)) for one in plain)


def _free(tree: Tree, statement: cst.CSTNode) -> str:
    """A name for the number of a row that means nothing yet."""
    function = tree.function_of(statement)
    scope = tree.span(function if function is not None else tree.wrapper.module)
    used = {one.value for one in tree.within(scope) if isinstance(one, cst.Name)}
    return next((one for one in COUNTERS if one not in used), "")
