"""inplace/didChangeInterpreter (a notification of our own): the editor's choice of the Python that runs user code."""

from __future__ import annotations

from inplace_lsp.lsp.session.session import Session

METHOD = "inplace/didChangeInterpreter"


def handle(session: Session, params: object) -> None:
    """Take the editor's choice, which the setting `interpreter` overrides; null clears it. The next run starts it."""
    chosen = getattr(params, "interpreter", None)
    session.interpreter = chosen if isinstance(chosen, str) and chosen else None
