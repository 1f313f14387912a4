"""Addresses of the documentation."""

from __future__ import annotations

DOCS_URL = "https://inplace-lsp.readthedocs.io"


def hazard_url(code: str) -> str:
    """Return the address of the page about one code; docs/hazards has that page."""
    return f"{DOCS_URL}/hazards/{code}"
