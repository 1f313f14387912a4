"""A loop that writes every tensor of a list in place becomes a list of new ones: `grads = [g.clamp(-1, 1) for ...]`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, one_line
from inplace_lsp.fixes.program.flow import is_read_after
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.repairs.out_of_place.statement import new_value
from inplace_lsp.hazards.finding import Edit, Finding


def rewritten_list(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For IP101, where the write is all that the loop does and the list has a name."""
    block = site.tree.parent(site.line)
    loop = site.tree.parent(block) if block is not None else None
    if finding.code != "IP101" or not isinstance(loop, cst.For) or loop.orelse is not None or not site.is_alone:
        return
    alone = isinstance(loop.body, cst.IndentedBlock) and len(loop.body.body) == 1
    if not alone or not isinstance(loop.iter, cst.Name) or not isinstance(loop.target, cst.Name):
        return
    value = new_value(site, finding, loop.target)
    if value is None or is_read_after(site.tree, loop, loop.target.value):
        return
    name, item = loop.iter.value, loop.target.value
    content = f"{name} = [{value} for {item} in {name}]"
    warning = f"whoever holds the tensors of `{name}` keeps the old values"
    edit = Edit(content, site.tree.span(loop))
    yield Candidate(f"Make a list of new tensors: `{one_line(content)}`", (edit,), (), (warning,))
