"""All hazards, and the function that applies them to a tape."""

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
from inplace_lsp.hazards.merge import merge_findings
from inplace_lsp.tape.model import Check, Reject, SetData, Tape, Write

HAZARDS: tuple[Hazard, ...] = tuple(
    module.HAZARD
    for module in (ip101, ip102, ip103, ip201, ip202, ip203, ip204, ip205, ip206, ip207, ip301, ip302, ip303, ip401)
)

CODES: tuple[str, ...] = tuple(hazard.code for hazard in HAZARDS)


def find_hazard(code: str) -> Hazard | None:
    """Return the hazard with that code or name, in any case; None if there is none."""
    wanted = code.strip().lower()
    return next((hazard for hazard in HAZARDS if wanted in (hazard.code.lower(), hazard.name)), None)


def find_all(tape: Tape) -> tuple[Finding, ...]:
    """Return all findings of `tape` by place, one for each line and code."""
    if not any(map(tape.events_of, (Write, Reject, SetData))) and not any(
        check.freed for _, check in tape.events_of(Check)
    ):
        return ()  # every hazard needs one of these
    return merge_findings(found for hazard in HAZARDS for found in hazard.find(tape))
