"""textDocument/didClose: forget the program and clear its diagnostics."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.session.session import Session


def handle(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the text; from now on the file on the disk counts."""
    session.close_document(params.text_document.uri)
