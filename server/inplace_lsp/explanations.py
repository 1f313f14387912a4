"""The explanation of each code: the pages of the hazards, of offers, of suppressions and of model files."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp import suppress
from inplace_lsp.hazards import registry
from inplace_lsp.hazards.explain import explain_hazard
from inplace_lsp.hazards.finding import MODEL_FILE, OFFER, UNUSED_SUPPRESSION
from inplace_lsp.model_files import page
from inplace_lsp.offers import page as offers


@dataclass(frozen=True, slots=True)
class Explanation:
    """A code's page (Markdown) and its summary in one line."""

    code: str
    name: str
    summary: str
    page: str


def list_explanations() -> tuple[Explanation, ...]:
    """Return all explanations, in the order of the codes."""
    hazards = (
        Explanation(hazard.code, hazard.name, hazard.summary, explain_hazard(hazard)) for hazard in registry.HAZARDS
    )
    comments = Explanation(UNUSED_SUPPRESSION, suppress.NAME, suppress.SUMMARY, suppress.PAGE)
    may = Explanation(OFFER, offers.NAME, offers.SUMMARY, offers.write_page())
    return (*hazards, may, comments, Explanation(MODEL_FILE, page.NAME, page.SUMMARY, page.PAGE))


def find_explanation(code: str) -> Explanation | None:
    """Return the explanation of a code or a hazard's name, in any case; None if there is none."""
    wanted = code.strip().lower()
    return next(
        (explanation for explanation in list_explanations() if wanted in (explanation.code.lower(), explanation.name)),
        None,
    )
