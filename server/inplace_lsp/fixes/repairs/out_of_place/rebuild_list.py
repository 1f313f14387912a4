"""Turn a loop that writes every tensor of a list into a list of new ones: `grads = [g.clamp(-1, 1) for ...]`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, shorten_to_line
from inplace_lsp.fixes.program.later_reads import is_read_after
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.repairs.out_of_place.statement import new_value
from inplace_lsp.hazards.finding import Edit


def rebuild_list(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write where the loop does nothing but write and the list has a name."""
    site, finding = context.site, context.finding
    loop = _loop_of_only_line(site) if site is not None else None
    if site is None or loop is None or not isinstance(loop.iter, cst.Name) or not isinstance(loop.target, cst.Name):
        return
    value = new_value(site, finding, loop.target)
    if value is None or is_read_after(site.tree, loop, loop.target.value):
        return
    name, item = loop.iter.value, loop.target.value
    content = f"{name} = [{value} for {item} in {name}]"
    warning = f"other references to the tensors of `{name}` keep the old values"
    edit = Edit(content, site.tree.span_of(loop))
    yield Candidate(f"Make a list of new tensors: `{shorten_to_line(content)}`", (edit,), (), (warning,))


def _loop_of_only_line(site: Site) -> cst.For | None:
    """Return the loop whose body is the statement and nothing else."""
    block = site.tree.parent_of(site.line)
    loop = site.tree.parent_of(block) if block is not None else None
    if not isinstance(loop, cst.For) or loop.orelse is not None or not site.is_alone:
        return None
    return loop if isinstance(loop.body, cst.IndentedBlock) and len(loop.body.body) == 1 else None


REBUILD_LIST = Repair(frozenset({"IP101"}), rebuild_list)
