"""textDocument/didClose: forget the program and clear its diagnostics."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.publish_diagnostics import clear_documents
from inplace_lsp.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_DID_CLOSE


def handle(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """Abandon a running analysis, so that nothing is published after this."""
    program = session.forget_program(params.text_document.uri)
    if program is not None:
        clear_documents(session, [part.uri for part in program.parts])
        session.tell_closed(program)
        session.disk_changed([program.filename])  # the disk's text counts again
