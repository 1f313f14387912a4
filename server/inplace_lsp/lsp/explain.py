"""inplace/explain (a request of our own): the page of a hazard, for clients that show documentation themselves."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from inplace_lsp.explanations import explanation_of, explanations
from inplace_lsp.lsp.offered import EXPLAIN
from inplace_lsp.lsp.session import Session


def handle(session: Session, params: Any) -> dict[str, str]:
    """`{"title", "markdown"}` for `{"code": "IP101"}`; a hazard's name will do as well."""
    code = getattr(params, "code", None)
    found = explanation_of(code) if isinstance(code, str) else None
    if found is None:
        known = ", ".join(one.code for one in explanations())
        raise JsonRpcInvalidParams(f"{EXPLAIN}: nothing is known about {code!r}; there are pages about {known}")
    return {"title": f"{found.code} {found.name}", "markdown": found.page}
