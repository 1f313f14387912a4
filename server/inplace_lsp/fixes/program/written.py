"""What a statement writes, by its form and the finding: which variables, an item or a view, a tensor or an array."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import is_torch
from inplace_lsp.fixes.program.roots import tensor_at
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Write


def written_by(site: Site, finding: Finding) -> Iterator[cst.BaseExpression]:
    """The tensors whose memory the statement writes, as its form tells."""
    statement = site.statement
    if isinstance(statement, cst.AugAssign):
        yield tensor_at(site, finding, statement.target, item=is_put(finding))
    elif isinstance(statement, cst.Assign):
        items = (one.target for one in statement.targets if isinstance(one.target, cst.Subscript))
        yield from (tensor_at(site, finding, item, item=True) for item in items)
    value = getattr(statement, "value", None)
    if isinstance(value, cst.Call):
        yield from _written_by_call(site, finding, value)


def _written_by_call(site: Site, finding: Finding, call: cst.Call) -> Iterator[cst.BaseExpression]:
    if not isinstance(call.func, cst.Attribute) or is_torch(site.tree, call.func.value):
        if call.args and not call.args[0].star and call.args[0].keyword is None:
            yield tensor_at(site, finding, call.args[0].value)
        return
    receiver = call.func.value
    if call.func.attr.value.endswith("_"):
        while isinstance(receiver, cst.Call) and isinstance(receiver.func, cst.Attribute) and _is_inplace(receiver):
            receiver = receiver.func.value
        yield tensor_at(site, finding, receiver)
    elif isinstance(receiver, cst.Call):
        yield from _written_by_call(site, finding, receiver)


def _is_inplace(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value.endswith("_")


def is_put(finding: Finding) -> bool:
    """Whether a mask or indices select what is written, as in `x[mask] *= 2`: then it is no view."""
    return any(one.op == "index_put_" for one in finding.story if isinstance(one, Write) and one.span == finding.span)


def copy_method(finding: Finding) -> str:
    """An array is copied by another method than a tensor."""
    return "copy" if is_array(finding) else "clone"


def is_array(finding: Finding) -> bool:
    """Whether the written memory was reached as an array of numpy."""
    writes = (event for event in finding.story if isinstance(event, Write) and event.span == finding.span)
    return any("numpy" in write.alias for write in writes)
