"""textDocument/didSave: the disk has the text now."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.documents.programs import find_filename
from inplace_lsp.lsp.session.session import Session
from inplace_lsp.lsp.session.watch import note_changes


def handle(session: Session, params: types.DidSaveTextDocumentParams) -> None:
    """Keep what is found for the next session, and reanalyse files that may import it; open ones have seen the text
    before."""
    session.keep_findings(params.text_document.uri)
    note_changes(session, [find_filename(params.text_document.uri)])
