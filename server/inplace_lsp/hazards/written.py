"""Read from a finding's story what it writes."""

from __future__ import annotations

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Create, Reject, View, Write


def find_writes(finding: Finding) -> list[Write | Reject]:
    """Return the writes, and refused calls, at the place of the finding."""
    return [event for event in finding.story if isinstance(event, Write | Reject) and event.span == finding.span]


def is_update(finding: Finding) -> bool:
    """Return whether the leaf that is written is a parameter, or has a gradient: the write is an update of it."""
    written = find_writes(finding)
    roots = {id for write in written for id in (write.tensor.id, write.tensor.base)}
    return any(
        isinstance(event, Create | View)
        and event.tensor.id in roots
        and (event.op == "Parameter" or "." in event.tensor.name)
        for event in finding.story
    )
