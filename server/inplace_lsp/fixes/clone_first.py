"""Clone, then write: `x = x.clone()` in front of `x[i] = v`: what was saved stays as it was."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.candidate import Candidate, before_line, is_plain, is_torch, no_leaf, use
from inplace_lsp.fixes.site import Site
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Write


def clone_first(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For every write whose written tensor has a name."""
    if len(site.line.body) != 1:
        return
    for written in _written(site):
        if is_plain(written):
            name = site.tree.code(written)
            copy = f"{name} = {name}.{_copy_method(finding)}()"
            yield Candidate(
                f"Write to a copy: `{copy}` before it",
                (before_line(site, copy),),
                use(site, written),
                no_leaf(finding, name),
            )
            return


def _copy_method(finding: Finding) -> str:
    """An array is copied by another method than a tensor."""
    writes = (event for event in finding.story if isinstance(event, Write) and event.span == finding.span)
    return "copy" if any("numpy" in write.alias for write in writes) else "clone"


def _written(site: Site) -> Iterator[cst.BaseExpression]:
    """The names whose memory the statement writes, as its form tells."""
    statement = site.statement
    if isinstance(statement, cst.AugAssign):
        yield _root(statement.target)
    elif isinstance(statement, cst.Assign):
        yield from (_root(one.target) for one in statement.targets if isinstance(one.target, cst.Subscript))
    value = getattr(statement, "value", None)
    if isinstance(value, cst.Call):
        yield from _written_by_call(site, value)


def _written_by_call(site: Site, call: cst.Call) -> Iterator[cst.BaseExpression]:
    if not isinstance(call.func, cst.Attribute) or is_torch(site.tree, call.func.value):
        if call.args and not call.args[0].star and call.args[0].keyword is None:
            yield _root(call.args[0].value)
        return
    receiver = call.func.value
    if call.func.attr.value.endswith("_"):
        yield _root(receiver)
    elif isinstance(receiver, cst.Call):
        yield from _written_by_call(site, receiver)


def _root(node: cst.BaseExpression) -> cst.BaseExpression:
    """`x` of `x[0]`, `x[0][1]`, `x.view(-1)`, `x.data`: the tensor whose memory is reached."""
    while True:
        if isinstance(node, cst.Subscript) or (
            isinstance(node, cst.Attribute) and node.attr.value in {"data", "T", "mT"}
        ):
            node = node.value
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            node = node.func.value
        else:
            return node
