"""`x.data = value` with a value that carries a graph: keep the graph, or say that it is dropped."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, is_plain, one_line, replace_node, use
from inplace_lsp.fixes.program.precedence import as_receiver
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.hazards.finding import Finding


def set_data(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For IP302: `x = value` first, `x.data = value.detach()` second."""
    statement = site.statement
    if finding.code != "IP302" or not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return
    target, value = statement.targets[0].target, site.tree.code(statement.value)
    if not isinstance(target, cst.Attribute) or target.attr.value != "data":
        return
    if isinstance(target.value, cst.Name) and is_plain(target.value):
        content = f"{target.value.value} = {value}"
        message = f"Keep the gradient: `{one_line(content)}`"
        warnings = ("the value's gradient now flows",)
        yield Candidate(message, (replace_node(site, statement, content),), use(site, target.value), warnings)
    detached = f"{as_receiver(statement.value, site.tree.code)}.detach()"
    edit = replace_node(site, statement, f"{site.tree.code(target)} = {detached}")
    warnings = ("the gradient stays dropped",)
    yield Candidate("Say that the gradient is dropped: `.detach()`", (edit,), (), warnings)
