"""`h.copy_(value)` as `h = value`: the name gets the new tensor, the old one keeps what was saved of it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.aliases import is_new
from inplace_lsp.fixes.program.candidate import Candidate, is_torch, one_line, replace_node, use
from inplace_lsp.fixes.program.precedence import as_receiver
from inplace_lsp.fixes.program.roots import is_rebindable, tensor_at
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.hazards.finding import Finding

CODES = frozenset({"IP101", "IP301", "IP303"})


def bind_copied(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For a whole tensor that is written by `copy_`; a value that somebody else holds is copied."""
    call = site.statement.value if isinstance(site.statement, cst.Expr) else None
    if finding.code not in CODES or not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return
    target, given = call.func.value, [one for one in call.args if one.keyword is None and not one.star]
    whole = is_rebindable(site.tree, target) and tensor_at(site, finding, target) is target
    if call.func.attr.value != "copy_" or not whole or not given or is_torch(site.tree, target):
        return
    name, value = site.tree.code(target), given[0].value
    copied = site.tree.code(value) if is_new(value) else f"{as_receiver(value, site.tree.code)}.clone()"
    content = f"{name} = {copied}"
    warnings = (f"`{name}` then has the shape and type of the value",)
    message = f"Write out of place: `{one_line(content)}`"
    yield Candidate(message, (replace_node(site, site.statement, content),), use(site, target), warnings)
