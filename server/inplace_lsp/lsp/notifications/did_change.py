"""textDocument/didChange: the edits are applied, the older analysis is abandoned, a new one starts."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.session.session import Session


def handle(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """Analyse the new text."""
    session.analyse_document(params.text_document.uri)
