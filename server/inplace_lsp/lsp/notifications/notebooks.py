"""notebookDocument/didOpen, didChange and didClose: the code cells of a notebook are one program."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.session.session import Session

SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[types.NotebookDocumentFilterWithNotebook("*", [types.NotebookCellLanguage("python")])]
)


def did_open(session: Session, params: types.DidOpenNotebookDocumentParams) -> None:
    """Analyse the notebook; pygls has stored it and its cells."""
    session.analyse_document(params.notebook_document.uri)


def did_change(session: Session, params: types.DidChangeNotebookDocumentParams) -> None:
    """Analyse the edited notebook; drop the diagnostics of removed cells."""
    uri = params.notebook_document.uri
    structure = params.change.cells.structure if params.change.cells else None
    gone = [cell.uri for cell in structure.did_close or []] if structure else []
    session.publisher.clear_documents(gone)
    session.analyse_document(uri)


def did_close(session: Session, params: types.DidCloseNotebookDocumentParams) -> None:
    """Forget the notebook."""
    session.close_notebook(params.notebook_document.uri)
