"""Combine open documents into programs: a file by itself, the code cells of a notebook together."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from inplace_lsp.lsp.documents.convert import Part, Program
from inplace_lsp.lsp.documents.documents import Document
from inplace_lsp.magics import as_python
from inplace_lsp.notebooks import PYTHON


def find_program(workspace: Workspace, uri: str) -> Program | None:
    """Return the program that the open document `uri` (a cell or a notebook too) belongs to; None if it is not open."""
    notebook = workspace.get_notebook_document(notebook_uri=uri) or workspace.get_notebook_document(cell_uri=uri)
    if notebook is not None:
        return _make_program_of_notebook(workspace, notebook)
    document = find_open(workspace, uri)
    return None if document is None else _make_program_of_document(workspace, document)


def find_open(workspace: Workspace, uri: str) -> TextDocument | None:
    """Return the open document `uri`; unlike pygls' own look-up, never fall back to the disk."""
    found: TextDocument | None = workspace.text_documents.get(unquote(uri))
    return found


def is_too_large(workspace: Workspace, uri: str) -> bool:
    """Return whether the text of the open document `uri` exceeds the limit for analysis."""
    document = find_open(workspace, uri)
    return isinstance(document, Document) and document.is_too_large


def list_folders(workspace: Workspace) -> tuple[str, ...]:
    """Return the folders that the client has opened."""
    uris = list(workspace.folders) or [workspace.root_uri or ""]
    return tuple(path for uri in uris if (path := to_fs_path(uri)))


def find_filename(uri: str) -> str:
    """Return the path of a `file:` URI; any other URI (`untitled:Untitled-1`) stands for itself."""
    return to_fs_path(uri) or uri


def _make_program_of_document(workspace: Workspace, document: TextDocument) -> Program:
    part = Part(document.uri, document.version, 1, tuple(document.lines))
    return Program(document.uri, find_filename(document.uri), document.source, (part,), workspace.position_codec)


def _make_program_of_notebook(workspace: Workspace, notebook: types.NotebookDocument) -> Program:
    parts: list[Part] = []
    texts: list[str] = []
    row = 1
    for number, document in _list_code_cells(workspace, notebook):
        lines = tuple(document.lines)
        parts.append(Part(document.uri, document.version, row, lines, number))
        texts.append(as_python(lines))
        row += max(1, len(lines))
    return Program(notebook.uri, find_filename(notebook.uri), "".join(texts), tuple(parts), workspace.position_codec)


def _list_code_cells(workspace: Workspace, notebook: types.NotebookDocument) -> Iterable[tuple[int, TextDocument]]:
    """Yield the code cells with their numbers among all cells."""
    for number, cell in enumerate(notebook.cells, start=1):
        document = find_open(workspace, cell.document)
        if document is not None and cell.kind == types.NotebookCellKind.Code and _is_python(document):
            yield number, document


def _is_python(document: TextDocument) -> bool:
    return (document.language_id or "python").lower() in PYTHON
