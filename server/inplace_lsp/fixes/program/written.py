"""Tell what a statement writes, by its form and the finding: variables, an item or a view, a tensor or an array."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.candidate import is_plain_name, is_torch
from inplace_lsp.fixes.program.roots import BY_INDEX, find_written_tensor
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Write


@dataclass(frozen=True)
class ItemAssignment:
    """A statement `name[...] = value` with one target."""

    statement: cst.Assign
    target: cst.Subscript


def read_item_assignment(site: Site | None) -> ItemAssignment | None:
    """Return what the statement assigns if it is an item of a variable, and nothing else."""
    statement = site.statement if site is not None else None
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    if not isinstance(target, cst.Subscript) or not is_plain_name(target.value):
        return None
    return ItemAssignment(statement, target)


def writes_only_items(statement: cst.Assign) -> bool:
    """Return whether an assignment binds no name: all its targets are items."""
    return all(isinstance(target.target, cst.Subscript) for target in statement.targets)


def find_written_names(site: Site, finding: Finding) -> Iterator[cst.BaseExpression]:
    """Yield the tensors whose memory the statement writes, by its form."""
    statement = site.statement
    if isinstance(statement, cst.AugAssign):
        yield find_written_tensor(site, finding, statement.target, item=is_written_by_index(finding))
    elif isinstance(statement, cst.Assign):
        items = (target.target for target in statement.targets if isinstance(target.target, cst.Subscript))
        yield from (find_written_tensor(site, finding, item, item=True) for item in items)
    value = getattr(statement, "value", None)
    if isinstance(value, cst.Call):
        yield from _find_names_written_by_call(site, finding, value)


def _find_names_written_by_call(site: Site, finding: Finding, call: cst.Call) -> Iterator[cst.BaseExpression]:
    if not isinstance(call.func, cst.Attribute) or is_torch(site.tree, call.func.value):
        if call.args and not call.args[0].star and call.args[0].keyword is None:
            yield find_written_tensor(site, finding, call.args[0].value)
        return
    receiver = call.func.value
    if call.func.attr.value.endswith("_"):
        yield find_written_tensor(site, finding, _first_receiver(receiver))
    elif isinstance(receiver, cst.Call):
        yield from _find_names_written_by_call(site, finding, receiver)


def _first_receiver(receiver: cst.BaseExpression) -> cst.BaseExpression:
    """Return `y` for `y.mul_(2).add_(1)`: each method in place returns its tensor."""
    while isinstance(receiver, cst.Call) and isinstance(receiver.func, cst.Attribute) and _is_inplace(receiver):
        receiver = receiver.func.value
    return receiver


def _is_inplace(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value.endswith("_")


def is_written_by_index(finding: Finding) -> bool:
    """Return whether a mask or indices select what is written, as in `x[mask] *= 2`: no view is made."""
    return any(
        event.op == BY_INDEX for event in finding.story if isinstance(event, Write) and event.span == finding.span
    )


def copy_method(finding: Finding) -> str:
    """Return the method that copies the written memory: an array's differs from a tensor's."""
    return "copy" if is_numpy_array(finding) else "clone"


def is_numpy_array(finding: Finding) -> bool:
    """Return whether the written memory was reached through a numpy array."""
    writes = (event for event in finding.story if isinstance(event, Write) and event.span == finding.span)
    return any("numpy" in write.alias for write in writes)
