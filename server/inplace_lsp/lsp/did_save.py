"""textDocument/didSave: the disk has the text now."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.programs import filename_of
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.watch import note_changes

METHOD = types.TEXT_DOCUMENT_DID_SAVE
OPTIONS = types.SaveOptions(include_text=False)


def handle(session: Session, params: types.DidSaveTextDocumentParams) -> None:
    """Reanalyse files that may import it; open ones have seen the text before."""
    note_changes(session, [filename_of(params.text_document.uri)])
