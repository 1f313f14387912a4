"""Write out of place inside an expression: `self.up(F.relu(s, inplace=True))` as `self.up(F.relu(s))`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Use, replace_node
from inplace_lsp.fixes.program.codes import REPAIRABLE
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.roots import is_written
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.repairs.out_of_place.drop_inplace_flag import keeps_old_values
from inplace_lsp.fixes.repairs.out_of_place.statement import out_of_place_call, rewrite_message


def write_nested_out_of_place(context: RepairContext) -> Iterator[Candidate]:
    """Repair a call in place, of a variable or of a result, that the statement only reads."""
    site = context.site
    if site is None:
        return
    done: set[cst.CSTNode] = set()
    for call in _nested_calls(site):
        lost = call in done or is_written(site.tree, call)
        rewritten = None if lost else out_of_place_call(site, call)
        if rewritten is None:
            continue
        content, written = rewritten
        done |= set(site.tree.nodes_within(site.tree.span_of(call)))
        if written is None or isinstance(written, cst.Name):
            use = Use(site.tree, site.statement, written, _stale_names(site, written))
            yield Candidate(rewrite_message(content), (replace_node(site, call, content),), (use,))


WRITE_NESTED_OUT_OF_PLACE = Repair(REPAIRABLE, write_nested_out_of_place)


def _stale_names(site: Site, written: cst.Name | None) -> tuple[str, ...]:
    """Return the written variable if it is read again, with the values that it had."""
    if written is None or not keeps_old_values(site, getattr(site.statement, "value", None), written):
        return ()
    return (f"`{site.tree.code_of(written)}`",)


def _nested_calls(site: Site) -> list[cst.Call]:
    """Return the calls inside the value of the statement, outer ones first."""
    whole = getattr(site.statement, "value", None)
    calls = [call for call in site.tree.calls_in(site.statement) if call is not whole]
    return sorted(calls, key=lambda call: -len(site.tree.code_of(call)))
