"""textDocument/didSave: the disk has the text now."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.programs import filename_of
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.watch import noticed

METHOD = types.TEXT_DOCUMENT_DID_SAVE
OPTIONS = types.SaveOptions(include_text=False)


def handle(session: Session, params: types.DidSaveTextDocumentParams) -> None:
    """Files that are not open may import it; those that are have seen the text before."""
    noticed(session, [filename_of(params.text_document.uri)])
