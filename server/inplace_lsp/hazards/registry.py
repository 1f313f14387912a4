"""All hazards, and the one question that is asked of a tape."""

from __future__ import annotations

from inplace_lsp.hazards import (
    ip101,
    ip102,
    ip103,
    ip201,
    ip202,
    ip203,
    ip204,
    ip205,
    ip206,
    ip207,
    ip301,
    ip302,
    ip303,
    ip401,
)
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import Hazard
from inplace_lsp.hazards.merge import merge
from inplace_lsp.tape.model import Check, Reject, SetData, Tape, Write

HAZARDS: tuple[Hazard, ...] = tuple(
    module.HAZARD
    for module in (ip101, ip102, ip103, ip201, ip202, ip203, ip204, ip205, ip206, ip207, ip301, ip302, ip303, ip401)
)

CODES: tuple[str, ...] = tuple(one.code for one in HAZARDS)


def hazard(code: str) -> Hazard | None:
    """The hazard with that code or name, in any case; None if there is none."""
    wanted = code.strip().lower()
    return next((one for one in HAZARDS if wanted in (one.code.lower(), one.name)), None)


def findings(tape: Tape) -> tuple[Finding, ...]:
    """All hazards that `tape` shows, by place, one for each line and code."""
    if not any(map(tape.each, (Write, Reject, SetData))) and not any(check.freed for _, check in tape.each(Check)):
        return ()  # every hazard needs one of these
    return merge(found for one in HAZARDS for found in one.find(tape))
