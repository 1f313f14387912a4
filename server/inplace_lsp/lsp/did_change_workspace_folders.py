"""workspace/didChangeWorkspaceFolders: folders came or went."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.configuration import take_folders
from inplace_lsp.lsp.session import Session

METHOD = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


def handle(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """pygls keeps the list; there are other files now."""
    take_folders(session)
    session.disk_changed(())
