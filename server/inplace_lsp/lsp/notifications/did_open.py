"""textDocument/didOpen: analyse the text."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.session.session import Session


def handle(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    """Start the analysis of the text that pygls has stored."""
    session.analyse_document(params.text_document.uri)
