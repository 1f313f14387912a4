"""Copy the pieces that `unbind`, `split` or `chunk` return: the pieces themselves may not be written."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Tree, site_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import ViewKind


def copy_pieces(context: RepairContext) -> Iterator[Candidate]:
    """Write `a, b = (piece.clone() for piece in x.chunk(2))`; a list where all pieces have one name."""
    text, finding = context.text, context.finding
    views = [view for view in finding.views_of(ViewKind.MULTI_OUTPUT) if view.of.view is not ViewKind.MULTI_OUTPUT]
    base = next((f"`{view.of.name}`" for view in views if view.of.name), "what they are pieces of")
    for place in dict.fromkeys(view.span for view in views if view.span.file == finding.span.file):
        site = site_at(text, place)
        if site is None or not isinstance(site.statement, cst.Assign) or len(site.statement.targets) != 1:
            continue
        content = _clone_pieces(site.tree, site.statement)
        edit = Edit(content, site.tree.span_of(site.statement.value))
        which = "piece" if content.endswith(".clone()") else "pieces"
        yield Candidate(f"Copy the {which} on line {edit.span.row}", (edit,), (), (f"{base} does not see the write",))


COPY_PIECES = Repair(frozenset({"IP203"}), copy_pieces)


def _clone_pieces(tree: Tree, statement: cst.Assign) -> str:
    """Return the value with every piece cloned, or the one that is taken out: `x.unbind()[0].clone()`."""
    value = tree.code_of(statement.value)
    index = statement.value.slice if isinstance(statement.value, cst.Subscript) else []
    if len(index) == 1 and isinstance(index[0].slice, cst.Index):
        return f"{value}.clone()"
    copies = f"piece.clone() for piece in {value}"
    several = isinstance(statement.targets[0].target, (cst.Tuple, cst.List))
    return f"({copies})" if several else f"[{copies}]"
