"""textDocument/didChange: the edits are applied, the older analysis is abandoned, a new one starts."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_DID_CHANGE


def handle(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """pygls has applied the edits in the order in which they came, whatever their version numbers say."""
    session.changed(params.text_document.uri)
