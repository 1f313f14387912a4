"""All hazards, and the function that applies them to a tape.

A hazard is a module `ip*.py` of this package with a `HAZARD`; it is found by being there.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from importlib import import_module

from inplace_lsp import hazards
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import Hazard
from inplace_lsp.hazards.merge import merge_findings
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Refusal, Tape


def _load_hazards() -> tuple[Hazard, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(hazards.__path__) if module.name.startswith("ip"))
    return tuple(import_module(f"{hazards.__name__}.{name}").HAZARD for name in names)


HAZARDS: tuple[Hazard, ...] = _load_hazards()
CODES: tuple[str, ...] = tuple(hazard.code for hazard in HAZARDS)
_BY_CODE: Mapping[str, Hazard] = {hazard.code: hazard for hazard in HAZARDS}
_BY_REFUSAL: Mapping[Rejection | Refusal, str] = {
    reason: hazard.code for hazard in HAZARDS for reason in hazard.refusals
}


def find_hazard(code: str) -> Hazard | None:
    """Return the hazard with that code or name, in any case; None if there is none."""
    wanted = code.strip().lower()
    return next((hazard for hazard in HAZARDS if wanted in (hazard.code.lower(), hazard.name)), None)


def is_hazard(code: str, trait: Callable[[Hazard], bool]) -> bool:
    """Return whether `code` is that of a hazard with the trait."""
    hazard = _BY_CODE.get(code)
    return hazard is not None and trait(hazard)


def list_codes(trait: Callable[[Hazard], object]) -> frozenset[str]:
    """Return the codes of the hazards with a trait."""
    return frozenset(hazard.code for hazard in HAZARDS if trait(hazard))


def find_family(code: str) -> str:
    """Return the family of a hazard: the inputs decide which hazard of one family a line shows."""
    hazard = _BY_CODE.get(code)
    return code if hazard is None else hazard.family


def find_code_of_refusal(reason: Rejection | Refusal) -> str:
    """Return the code of the hazard because of which torch refuses a write or a use for `reason`."""
    return _BY_REFUSAL[reason]


def find_all(tape: Tape) -> tuple[Finding, ...]:
    """Return all findings of `tape` by place, one for each line and code."""
    asked = [hazard for hazard in HAZARDS if tape.has_any_of(hazard.events)]
    return merge_findings(found for hazard in asked for found in hazard.find(tape)) if asked else ()
