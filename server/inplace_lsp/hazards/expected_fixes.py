"""Tell which kind of repair a finding can expect, from its story alone.

Looking for repairs costs analyses. tests/fixes/test_remedies.py holds these judgements against the repairs themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.written import find_writes
from inplace_lsp.tape.model import Reject, Write

Fixable = Literal["safe", "unsafe"]
ExpectFix = Callable[[Finding], Fixable | None]
"""Returns the kind of repair that can be expected; None if that is not clear."""
_FILLS = frozenset({"zero_", "fill_", "copy_", "normal_", "uniform_", "clamp_"})
"""Writes of values that have no gradient of their own, as a rule."""


def expect_safe(_finding: Finding) -> Fixable | None:
    """Expect a safe repair for every program: another mode is enough."""
    return "safe"


def expect_unsafe(_finding: Finding) -> Fixable | None:
    """Expect an unsafe repair for every program: the order of steps is a decision of the author."""
    return "unsafe"


def expect_none(_finding: Finding) -> Fixable | None:
    """Expect nothing."""
    return None


def expect_kept_graph(finding: Finding) -> Fixable | None:
    """Return whether the graph can be kept, since two backwards walk it, or should not be, since a loop comes again."""
    earlier = finding.places_of("backward")
    return "safe" if earlier and earlier[0].row != finding.span.row else "unsafe"


def expect_update(finding: Finding) -> Fixable | None:
    """Return how safe it is to write a leaf under `no_grad`: values without a gradient of their own can be."""
    writes = find_writes(finding)
    return None if not writes else "safe" if writes[0].op in _FILLS else "unsafe"


def expect_rebinding(finding: Finding) -> Fixable | None:
    """Return how safe it is to give the written name a new tensor: who else holds the memory keeps the old values."""
    writes = find_writes(finding)
    return _judge_rebinding(finding, writes[0]) if writes else None


def _judge_rebinding(finding: Finding, write: Write | Reject) -> Fixable | None:
    name = write.tensor.name
    of_graph = isinstance(write, Write) and write.grad_mode
    if not of_graph:
        return None
    if not name:
        return "safe" if isinstance(write, Write) and write.declared is not None else None
    around = isinstance(write, Write) and (write.alias or write.call is not None)
    if around or not name.isidentifier() or _find_others(finding, write):
        return "unsafe"
    return "safe"


def _find_others(finding: Finding, write: Write | Reject) -> set[str]:
    """Return the other names under which the story knows the written memory."""
    states = [state for event in finding.story if (state := getattr(event, "tensor", None)) is not None]
    return {state.name for state in states if state.storage == write.tensor.storage} - {"", write.tensor.name}
