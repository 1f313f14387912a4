"""workspace/didChangeWatchedFiles: a pyproject.toml was written, made or deleted."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.watch import configuration_changed

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES


def handle(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """What was read of it is out of date."""
    configuration_changed(session)
