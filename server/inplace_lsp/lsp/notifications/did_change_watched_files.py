"""workspace/didChangeWatchedFiles: files were written, made or deleted."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.documents.programs import find_filename
from inplace_lsp.lsp.session.session import Session
from inplace_lsp.lsp.session.watch import note_changes


def handle(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Handle changes of files that were read before."""
    note_changes(session, [find_filename(change.uri) for change in params.changes])
