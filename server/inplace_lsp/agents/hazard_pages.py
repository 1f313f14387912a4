"""The pages of the codes as resources."""

from __future__ import annotations

from mcp import types

from inplace_lsp.explanations import Explanation, find_explanation, list_explanations

SCHEME = "inplace-lsp://hazards/"
MARKDOWN = "text/markdown"


def list_pages() -> list[types.Resource]:
    """Return a resource for each code."""
    return [_describe_page(each) for each in list_explanations()]


def read_page(uri: str) -> types.TextResourceContents | None:
    """Return the page at `uri`, None if there is none."""
    found = find_explanation(uri.removeprefix(SCHEME)) if uri.startswith(SCHEME) else None
    return None if found is None else types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=found.page)


def _describe_page(page: Explanation) -> types.Resource:
    name = f"{page.code} {page.name}"
    return types.Resource(uri=f"{SCHEME}{page.code}", name=name, description=page.summary, mime_type=MARKDOWN)
