"""The pieces that `unbind`, `split` or `chunk` gives may not be written: copies of them may."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.site import Tree, site_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import View, ViewKind


def copy_pieces(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP203: `a, b = (piece.clone() for piece in x.chunk(2))`, a list where all pieces have one name."""
    if finding.code != "IP203":
        return
    views = [one for one in finding.story if isinstance(one, View) and one.tensor.view is ViewKind.MULTI_OUTPUT]
    base = next((f"`{one.of.name}`" for one in views if one.of.name), "what they are pieces of")
    for place in dict.fromkeys(one.span for one in views if one.span.file == finding.span.file):
        site = site_at(text, place)
        statement = site.statement if site is not None else None
        if site is None or not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
            continue
        content = _copied(site.tree, statement)
        edit = Edit(content, site.tree.span(statement.value))
        which = "piece" if content.endswith(".clone()") else "pieces"
        yield Candidate(f"Copy the {which} on line {edit.span.row}", (edit,), (), (f"{base} does not see the write",))


def _copied(tree: Tree, statement: cst.Assign) -> str:
    """The value with a copy of every piece, or of the one that is taken out: `x.unbind()[0].clone()`."""
    value = tree.code(statement.value)
    index = statement.value.slice if isinstance(statement.value, cst.Subscript) else []
    if len(index) == 1 and isinstance(index[0].slice, cst.Index):
        return f"{value}.clone()"
    copies = f"piece.clone() for piece in {value}"
    several = isinstance(statement.targets[0].target, (cst.Tuple, cst.List))
    return f"({copies})" if several else f"[{copies}]"
