"""inplace/didChangeTrust (a notification of our own): whether the code of the workspace may run."""

from __future__ import annotations

from inplace_lsp.lsp.session.session import Session

METHOD = "inplace/didChangeTrust"


def handle(session: Session, params: object) -> None:
    """Grant trust on a plain `true` alone."""
    session.trusted = getattr(params, "trusted", None) is True
    session.refresh_client()
