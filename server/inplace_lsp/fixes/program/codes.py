"""Codes of findings as repairs see them: the only place in this room that compares them."""

from __future__ import annotations

from inplace_lsp.hazards.finding import Finding

REPAIRABLE = frozenset(
    {
        *("IP101", "IP102", "IP103", "IP201", "IP202", "IP203", "IP204", "IP205", "IP206", "IP207"),
        *("IP301", "IP302", "IP303", "IP401"),
    }
)
"""The codes that have a repair."""
REFUSED = frozenset({"IP201", "IP202", "IP203", "IP204", "IP205", "IP206", "IP207", "IP303"})
"""The codes of writes that torch refuses, IP303 among others that it does not."""
SAVED_WRITES = frozenset({"IP101", "IP301"})
LEAF_WRITES = frozenset({"IP201", "IP202"})


def is_repairable(finding: Finding) -> bool:
    """Return whether some repair is for this code."""
    return finding.code in REPAIRABLE


def is_refused_write(finding: Finding) -> bool:
    """Return whether torch may refuse the write, so that nothing after it runs."""
    return finding.code in REFUSED


def is_saved_write(finding: Finding) -> bool:
    """Return whether the write changes a tensor that some op has saved."""
    return finding.code in SAVED_WRITES


def is_step(finding: Finding) -> bool:
    """Return whether the write is an optimizer's step."""
    return finding.code == "IP102"


def is_leaf_write(finding: Finding) -> bool:
    """Return whether the write is to a leaf itself."""
    return finding.code in LEAF_WRITES


def may_update_leaf(finding: Finding) -> bool:
    """Return whether the write may be meant as an update of a leaf, outside the graph."""
    return finding.code in {*LEAF_WRITES, "IP203"}


def is_overlapping_write(finding: Finding) -> bool:
    """Return whether elements of the written tensor share memory."""
    return finding.code == "IP205"


def is_in_custom_function(finding: Finding) -> bool:
    """Return whether the finding is about a custom `autograd.Function`."""
    return finding.code == "IP303"


def trains_wrongly(finding: Finding) -> bool:
    """Return whether the program trains on wrong gradients without an error: its repair changes them."""
    return finding.code in {"IP301", "IP302", "IP303"}
