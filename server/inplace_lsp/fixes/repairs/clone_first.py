"""Clone, then write: `x = x.clone()` in front of `x[i] = v`: what was saved stays as it was."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, is_torch, no_leaf, statement_before, use
from inplace_lsp.fixes.program.roots import is_rebindable, tensor_at
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Write


def clone_first(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For every write whose written tensor has a name."""
    for written in written_by(site, finding):
        if is_rebindable(site.tree, written) and not _is_kept_view(finding, written):
            name = site.tree.code(written)
            copy = f"{name} = {name}.{copy_method(finding)}()"
            message = f"Write to a copy: `{copy}` before it"
            yield Candidate(message, (statement_before(site, copy),), use(site, written), no_leaf(finding, name))
            return


def _is_kept_view(finding: Finding, written: cst.BaseExpression) -> bool:
    """A view that an object keeps is there to write its base: a copy would leave the base as it is for good."""
    return finding.code == "IP204" and isinstance(written, cst.Attribute)


def copy_method(finding: Finding) -> str:
    """An array is copied by another method than a tensor."""
    return "copy" if is_array(finding) else "clone"


def is_array(finding: Finding) -> bool:
    """Whether the written memory was reached as an array of numpy."""
    writes = (event for event in finding.story if isinstance(event, Write) and event.span == finding.span)
    return any("numpy" in write.alias for write in writes)


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


def is_put(finding: Finding) -> bool:
    """Whether a mask or indices select what is written, as in `x[mask] *= 2`: then it is no view."""
    return any(one.op == "index_put_" for one in finding.story if isinstance(one, Write) and one.span == finding.span)


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
