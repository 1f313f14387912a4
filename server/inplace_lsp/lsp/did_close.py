"""textDocument/didClose: forget the program and clear its diagnostics."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.publish_diagnostics import clear
from inplace_lsp.lsp.session import Session

METHOD = types.TEXT_DOCUMENT_DID_CLOSE


def handle(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """An analysis still under way is abandoned, so that nothing is published after this."""
    program = session.closed(params.text_document.uri)
    if program is not None:
        clear(session, [part.uri for part in program.parts])
        session.tell_closed(program)
        session.disk_changed([program.filename])  # the disk's text counts again
