"""What each code means: the hazards' pages, and that of the code for suppressions that hide nothing."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp import suppress
from inplace_lsp.hazards import registry
from inplace_lsp.hazards.explain import explain
from inplace_lsp.hazards.finding import UNUSED_SUPPRESSION


@dataclass(frozen=True, slots=True)
class Explanation:
    """A code's page (Markdown), and what it says in one line."""

    code: str
    name: str
    summary: str
    page: str


def explanations() -> tuple[Explanation, ...]:
    """All there are, in the order of the codes."""
    hazards = (Explanation(one.code, one.name, one.summary, explain(one)) for one in registry.HAZARDS)
    return (*hazards, Explanation(UNUSED_SUPPRESSION, suppress.NAME, suppress.SUMMARY, suppress.PAGE))


def explanation_of(code: str) -> Explanation | None:
    """That of a code or a hazard's name, in any case; None if there is none."""
    wanted = code.strip().lower()
    return next((one for one in explanations() if wanted in (one.code.lower(), one.name)), None)
