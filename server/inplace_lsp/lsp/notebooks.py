"""notebookDocument/didOpen, didChange and didClose: the code cells of a notebook are one program."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.publish_diagnostics import clear
from inplace_lsp.lsp.session import Session

SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[types.NotebookDocumentFilterWithNotebook("*", [types.NotebookCellLanguage("python")])]
)


def did_open(session: Session, params: types.DidOpenNotebookDocumentParams) -> None:
    """pygls has stored the notebook and its cells."""
    session.changed(params.notebook_document.uri)


def did_change(session: Session, params: types.DidChangeNotebookDocumentParams) -> None:
    """Cells were edited, moved, added or removed; a removed one keeps no diagnostics."""
    uri = params.notebook_document.uri
    structure = params.change.cells.structure if params.change.cells else None
    gone = [cell.uri for cell in structure.did_close or []] if structure else []
    clear(session, gone)
    session.changed(uri)


def did_close(session: Session, params: types.DidCloseNotebookDocumentParams) -> None:
    """Forget the notebook."""
    program = session.closed(params.notebook_document.uri)
    clear(session, [part.uri for part in program.parts] if program else [])
