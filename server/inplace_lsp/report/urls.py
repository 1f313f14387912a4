"""Where the documentation lies on the web."""

from __future__ import annotations

from inplace_lsp.hazards.finding import MODEL_FILE, UNUSED_SUPPRESSION

DOCS_URL = "https://inplace-lsp.readthedocs.io"


_ELSEWHERE = {UNUSED_SUPPRESSION: "usage#suppression-comments", MODEL_FILE: "models#what-is-checked"}


def hazard_url(code: str) -> str:
    """The page about one code."""
    return f"{DOCS_URL}/{_ELSEWHERE.get(code, f'hazards/{code}')}"
