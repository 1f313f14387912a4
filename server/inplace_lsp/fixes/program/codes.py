"""Codes of findings as repairs see them: the only place in this room that compares them."""

from __future__ import annotations

from inplace_lsp.hazards import ip102, ip303
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.registry import list_codes
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Refusal

REPAIRABLE = list_codes(lambda hazard: hazard.is_repairable)
"""The codes that have a repair."""
REFUSED = list_codes(lambda hazard: hazard.refusals)
"""The codes of writes that torch refuses, IP303 among others that it does not."""
SAVED_WRITES = list_codes(lambda hazard: hazard.is_write_to_saved) - {ip102.CODE}
"""The codes of the program's own writes to what an op has saved."""
OLD_GRAPHS = list_codes(lambda hazard: hazard.is_at_backward) | {ip102.CODE}
"""The codes of a backward through a graph of before: freed by another one, or with parameters that a step changed."""
LEAF_WRITES = list_codes(lambda hazard: hazard.refusals & {Rejection.LEAF, Rejection.LEAF_VIEW})
OUT_REFUSED = list_codes(lambda hazard: Refusal.OUT_REQUIRES_GRAD in hazard.refusals)
"""The codes of calls with `out=` that torch refuses."""
_UPDATES = LEAF_WRITES | list_codes(lambda hazard: Rejection.MULTI_OUTPUT_VIEW in hazard.refusals)
_OVERLAPS = list_codes(lambda hazard: Rejection.OVERLAP in hazard.refusals)
_SILENT = list_codes(lambda hazard: hazard.is_silent)


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
    return finding.code == ip102.CODE


def is_leaf_write(finding: Finding) -> bool:
    """Return whether the write is to a leaf itself."""
    return finding.code in LEAF_WRITES


def may_update_leaf(finding: Finding) -> bool:
    """Return whether the write may be meant as an update of a leaf, outside the graph."""
    return finding.code in _UPDATES


def is_overlapping_write(finding: Finding) -> bool:
    """Return whether elements of the written tensor share memory."""
    return finding.code in _OVERLAPS


def breaks_by_write(finding: Finding) -> bool:
    """Return whether a statement of the program is to blame that writes, no optimizer's step and no second walk."""
    return finding.code in {*SAVED_WRITES, *REFUSED} - {ip303.CODE}


def is_in_custom_function(finding: Finding) -> bool:
    """Return whether the finding is about a custom `autograd.Function`."""
    return finding.code == ip303.CODE


def trains_wrongly(finding: Finding) -> bool:
    """Return whether the program trains on wrong gradients without an error: its repair changes them."""
    return finding.code in _SILENT
