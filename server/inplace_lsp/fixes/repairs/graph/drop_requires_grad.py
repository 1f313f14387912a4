"""Drop the `requires_grad=True` of a buffer that computed values are written into: it is no leaf to be trained."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.arguments import remove_argument
from inplace_lsp.fixes.program.candidate import Candidate, Difference
from inplace_lsp.fixes.program.codes import LEAF_WRITES
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree, site_at, whole_tree
from inplace_lsp.tape.model import Create


def drop_requires_grad(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write to a leaf that is made with `requires_grad=True`, where nobody reads its gradient."""
    whole = whole_tree(context.text, context.file)
    for made in context.finding.story:
        if not isinstance(made, Create) or made.span.file != context.file or whole is None:
            continue
        site, name = site_at(context.text, made.span), made.tensor.name
        found = _find_option(site) if site is not None and name and not _is_gradient_read(whole, name) else None
        if site is not None and found is not None:
            message = f"Drop `requires_grad=True` on line {made.span.row}"
            warnings = (f"`{name}` gets no gradient of its own",)
            yield Candidate(message, (remove_argument(site.tree, *found),), (), warnings, Difference.LOST_LEAF)


DROP_REQUIRES_GRAD = Repair(LEAF_WRITES, drop_requires_grad)


def _find_option(site: Site) -> tuple[cst.Call, cst.Arg] | None:
    """Return the call and its argument `requires_grad=True`, if the statement has one."""
    for call in site.tree.calls_in(site.statement):
        for argument in call.args:
            named = argument.keyword is not None and argument.keyword.value == "requires_grad"
            if named and isinstance(argument.value, cst.Name) and argument.value.value == "True":
                return call, argument
    return None


def _is_gradient_read(whole: Tree, name: str) -> bool:
    return any(
        isinstance(node, cst.Attribute) and node.attr.value == "grad" and whole.code_of(node.value) == name
        for node in whole.all_nodes()
    )
