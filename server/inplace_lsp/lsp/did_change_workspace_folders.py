"""workspace/didChangeWorkspaceFolders: folders came or went."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.configuration import apply_folders, fetch_settings
from inplace_lsp.lsp.session import Session

METHOD = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


async def handle(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Take the new folders, with their files and settings; pygls keeps the list."""
    apply_folders(session)
    session.disk_changed(())
    await fetch_settings(session)
