"""textDocument/didSave: the disk has the text now."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.documents.programs import filename_of
from inplace_lsp.lsp.session.session import Session
from inplace_lsp.lsp.session.watch import note_changes


def handle(session: Session, params: types.DidSaveTextDocumentParams) -> None:
    """Reanalyse files that may import it; open ones have seen the text before."""
    note_changes(session, [filename_of(params.text_document.uri)])
