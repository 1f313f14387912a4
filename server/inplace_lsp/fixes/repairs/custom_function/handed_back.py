"""A custom Function that hands back its input as it is returns a copy instead: that may be written."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program import custom_class
from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.custom_class import CustomFunction
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.site import site_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import View, ViewKind


def return_copy(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP303: `return x.clone()` in the forward that was called where the view was made."""
    if finding.code != "IP303":
        return
    views = (one for one in finding.story if isinstance(one, View) and one.tensor.view is ViewKind.CUSTOM)
    for place in dict.fromkeys(one.span for one in views if one.span.file == finding.span.file):
        site = site_at(text, place)
        nodes = site.tree.within(site.tree.span(site.statement)) if site is not None else []
        for node in nodes:
            op = site.tree.code(node.func) if site is not None and isinstance(node, cst.Call) else ""
            owner = custom_class.named(text, place.file, op)
            edits = tuple(_copied(owner)) if owner is not None else ()
            if edits:
                message = f"Return a copy of the input: `.clone()` on line {edits[0].span.row}"
                yield Candidate(message, edits, (), ("whoever calls it then gets new memory",))
                return


def _copied(owner: CustomFunction) -> Iterator[Edit]:
    forward = owner.method("forward")
    for values in custom_class.returned(owner.tree, forward) if forward is not None else ():
        for value in values:
            if isinstance(value, cst.Name) and forward is not None and custom_class.is_argument(forward, value.value):
                end = owner.tree.span(value)
                yield insertion(end.file, end.end_row, end.end_column, ".clone()")
