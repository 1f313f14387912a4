"""workspace/didChangeWorkspaceFolders: folders came or went."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.session.configuration import apply_folders, fetch_settings
from inplace_lsp.lsp.session.session import Session


async def handle(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Take the new folders, with their files and settings; pygls keeps the list."""
    apply_folders(session)
    session.note_disk_changes(())
    await fetch_settings(session)
