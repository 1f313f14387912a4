"""All hazards, and the one question that is asked of a tape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

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
from inplace_lsp.hazards.wording import unique
from inplace_lsp.tape.model import Check, Reject, SetData, Tape, Write

HAZARDS: tuple[Hazard, ...] = tuple(
    module.HAZARD
    for module in (ip101, ip102, ip103, ip201, ip202, ip203, ip204, ip205, ip206, ip207, ip301, ip302, ip303, ip401)
)

CODES: tuple[str, ...] = tuple(one.code for one in HAZARDS)

_STRENGTH = {"error": 0, "warning": 1, "information": 2, "hint": 3}


def hazard(code: str) -> Hazard | None:
    """The hazard with that code or name, in any case; None if there is none."""
    wanted = code.strip().lower()
    return next((one for one in HAZARDS if wanted in (one.code.lower(), one.name)), None)


def findings(tape: Tape) -> tuple[Finding, ...]:
    """All hazards that `tape` shows, by place, one for each line and code."""
    if not any(map(tape.each, (Write, Reject, SetData))) and not any(check.freed for _, check in tape.each(Check)):
        return ()  # every hazard needs one of these
    return merge(found for one in HAZARDS for found in one.find(tape))


def merge(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """One finding for each file, line and code: the one with the strongest evidence, with the related places of all."""
    groups: dict[tuple[str, int, str], list[Finding]] = {}
    for one in found:
        groups.setdefault((one.span.file, one.span.row, one.code), []).append(one)
    merged = (_strongest(group) for group in groups.values())
    return tuple(sorted(merged, key=lambda one: (one.span, one.code)))


def _strongest(group: list[Finding]) -> Finding:
    """The strongest finding of `group`; the first of several that are equally strong."""
    best = min(group, key=lambda one: (_STRENGTH[one.severity], len(one.assumptions)))
    others = (place for one in group for place in one.related if one.severity == best.severity)
    return replace(best, related=unique((*best.related, *others)))
