"""inplace/explain (a request of our own): the page of a hazard, for clients that show documentation themselves."""

from __future__ import annotations

from pygls.exceptions import JsonRpcInvalidParams

from inplace_lsp.explanations import find_explanation, list_explanations
from inplace_lsp.lsp.client.static_capabilities import EXPLAIN
from inplace_lsp.lsp.session.view import SessionView


def handle(session: SessionView, params: object) -> dict[str, str]:
    """Return `{"title", "markdown"}` for `{"code": "IP101"}`, or for a hazard's name."""
    code = getattr(params, "code", None)
    found = find_explanation(code) if isinstance(code, str) else None
    if found is None:
        known = ", ".join(explanation.code for explanation in list_explanations())
        raise JsonRpcInvalidParams(f"{EXPLAIN}: there is no code {code!r}; the codes are {known}")
    return {"title": f"{found.code} {found.name}", "markdown": found.page}
