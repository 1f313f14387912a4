"""What each code means: the hazards' pages, and those of the codes for suppressions and for model files."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp import suppress
from inplace_lsp.hazards import registry
from inplace_lsp.hazards.explain import explain
from inplace_lsp.hazards.finding import MODEL_FILE, UNUSED_SUPPRESSION
from inplace_lsp.model_files import page


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
    comments = Explanation(UNUSED_SUPPRESSION, suppress.NAME, suppress.SUMMARY, suppress.PAGE)
    return (*hazards, comments, Explanation(MODEL_FILE, page.NAME, page.SUMMARY, page.PAGE))


def explanation_of(code: str) -> Explanation | None:
    """That of a code or a hazard's name, in any case; None if there is none."""
    wanted = code.strip().lower()
    return next((one for one in explanations() if wanted in (one.code.lower(), one.name)), None)
