"""Rewrite `x.data = value` where `value` has a history: keep the graph, or drop it explicitly."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, is_plain_name, rebind_at, replace_node, shorten_to_line
from inplace_lsp.fixes.program.precedence import as_receiver
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.tape.model import SetData


def set_data(context: RepairContext) -> Iterator[Candidate]:
    """Repair an assignment to `.data` with `x = value`, else, or where the gradient is hardly wanted, with
    `x.data = value.detach()`."""
    site = context.site
    statement = site.statement if site is not None else None
    if site is None or not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return
    target, value = statement.targets[0].target, site.tree.code_of(statement.value)
    if not isinstance(target, cst.Attribute) or target.attr.value != "data":
        return
    wanted = context.finding.severity != "hint" and not _is_leaf_assigned(context)
    if wanted and isinstance(target.value, cst.Name) and is_plain_name(target.value):
        content = f"{target.value.value} = {value}"
        message = f"Keep the gradient: `{shorten_to_line(content)}`"
        warnings = ("the value's gradient now flows",)
        yield Candidate(message, (replace_node(site, statement, content),), rebind_at(site, target.value), warnings)
    detached = f"{as_receiver(statement.value, site.tree.code_of)}.detach()"
    edit = replace_node(site, statement, f"{site.tree.code_of(target)} = {detached}")
    warnings = ("the gradient stays dropped",)
    yield Candidate("Say that the gradient is dropped: `.detach()`", (edit,), (), warnings)


def _is_leaf_assigned(context: RepairContext) -> bool:
    """Return whether the memory of a leaf that requires grad is swapped: a new tensor would not be trained."""
    swaps = (event for event in context.finding.story if isinstance(event, SetData))
    return any(swap.tensor.leaf and swap.tensor.requires_grad for swap in swaps)


SET_DATA = Repair(frozenset({"IP302"}), set_data)
