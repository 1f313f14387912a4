"""Pass `operator.add` instead of `operator.iadd` where a function argument must not write."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, rebind_at
from inplace_lsp.fixes.program.codes import REPAIRABLE
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span

IN_PLACE = frozenset(
    f"i{name}" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift")
)


def replace_operator_function(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write by a function of the module `operator`."""
    site = context.site
    if site is None:
        return
    for node in site.tree.nodes_within(site.tree.span_of(site.statement)):
        if not isinstance(node, cst.Attribute) or site.tree.code_of(node.value) != "operator":
            continue
        name = node.attr.value
        if name in IN_PLACE:
            start = site.tree.span_of(node.attr)
            cut = Span(start.file, start.row, start.column, start.row, start.column + 1)
            yield Candidate(f"Write out of place: `operator.{name[1:]}`", (Edit("", cut),), rebind_at(site, None))
            return


REPLACE_OPERATOR_FUNCTION = Repair(REPAIRABLE - {"IP207"}, replace_operator_function)
