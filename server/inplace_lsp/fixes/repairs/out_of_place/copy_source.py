"""Rewrite `h.copy_(value)` as `h = value`: the name gets the new tensor, the saved one keeps its values."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.aliases import is_new
from inplace_lsp.fixes.program.candidate import Candidate, is_torch, rebind_at, replace_node, shorten_to_line
from inplace_lsp.fixes.program.codes import SAVED_WRITES
from inplace_lsp.fixes.program.precedence import as_receiver
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.roots import find_written_tensor, is_rebindable
from inplace_lsp.fixes.program.site import Site


def bind_copy_source(context: RepairContext) -> Iterator[Candidate]:
    """Repair a `copy_` to a whole tensor; copy the value if somebody else holds it."""
    site, finding = context.site, context.finding
    copying = _read_copy(site) if site is not None else None
    if site is None or copying is None:
        return
    target, value = copying
    if not is_rebindable(site.tree, target) or find_written_tensor(site, finding, target) is not target:
        return
    if is_torch(site.tree, target):
        return
    name = site.tree.code_of(target)
    copied = site.tree.code_of(value) if is_new(value) else f"{as_receiver(value, site.tree.code_of)}.clone()"
    content = f"{name} = {copied}"
    warnings = (f"`{name}` then has the shape and type of the value",)
    message = f"Write out of place: `{shorten_to_line(content)}`"
    yield Candidate(message, (replace_node(site, site.statement, content),), rebind_at(site, target), warnings)


def _read_copy(site: Site) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """Return the target and the value of a statement `target.copy_(value)`."""
    call = site.statement.value if isinstance(site.statement, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or call.func.attr.value != "copy_":
        return None
    given = [argument.value for argument in call.args if argument.keyword is None and not argument.star]
    return (call.func.value, given[0]) if given else None


BIND_COPY_SOURCE = Repair(SAVED_WRITES | {"IP303"}, bind_copy_source)
