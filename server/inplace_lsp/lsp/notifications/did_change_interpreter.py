"""inplace/didChangeInterpreter (a notification of our own): the Python that the editor has chosen for user code."""

from __future__ import annotations

from inplace_lsp.lsp.session.configuration import apply_interpreter
from inplace_lsp.lsp.session.session import Session

METHOD = "inplace/didChangeInterpreter"


def handle(session: Session, params: object) -> None:
    """Take the editor's choice, which settings override; null clears it. Its packages are read, the next run starts
    it."""
    chosen = getattr(params, "interpreter", None)
    apply_interpreter(session, chosen if isinstance(chosen, str) else "")
