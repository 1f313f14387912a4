"""Clone, then write: insert `x = x.clone()` before `x[i] = v`, so that the saved tensor keeps its values."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, insert_statement_before, rebind_at, warn_about_leaf
from inplace_lsp.fixes.program.codes import REPAIRABLE
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.roots import is_rebindable
from inplace_lsp.fixes.program.written import copy_method, find_written_names


def clone_first(context: RepairContext) -> Iterator[Candidate]:
    """Repair any write to a tensor that has a name."""
    return _clone_before_write(context, even_attribute=True)


def clone_view_first(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write to a view, unless an object keeps it to write its base: after a copy the base would not change."""
    return _clone_before_write(context, even_attribute=False)


CLONE_FIRST = Repair(REPAIRABLE - {"IP204"}, clone_first)
CLONE_VIEW_FIRST = Repair(frozenset({"IP204"}), clone_view_first)


def _clone_before_write(context: RepairContext, *, even_attribute: bool) -> Iterator[Candidate]:
    site, finding = context.site, context.finding
    if site is None:
        return
    for written in find_written_names(site, finding):
        if is_rebindable(site.tree, written) and (even_attribute or not isinstance(written, cst.Attribute)):
            name = site.tree.code_of(written)
            copy = f"{name} = {name}.{copy_method(finding)}()"
            message = f"Write to a copy: `{copy}` before it"
            yield Candidate(
                message,
                (insert_statement_before(site, copy),),
                rebind_at(site, written),
                warn_about_leaf(finding, name),
            )
            return
