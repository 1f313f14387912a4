"""`operator.iadd` handed on as a function is `operator.add` where it may write nothing."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, use
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span

IN_PLACE = frozenset(
    f"i{name}" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift")
)


def out_of_place_operator(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For a write by a function of the module `operator`, by its name there."""
    if finding.code == "IP207":
        return
    for node in site.tree.within(site.tree.span(site.statement)):
        if not isinstance(node, cst.Attribute) or site.tree.code(node.value) != "operator":
            continue
        name = node.attr.value
        if name in IN_PLACE:
            start = site.tree.span(node.attr)
            cut = Span(start.file, start.row, start.column, start.row, start.column + 1)
            yield Candidate(f"Write out of place: `operator.{name[1:]}`", (Edit("", cut),), use(site, None))
            return
