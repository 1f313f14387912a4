"""Convert our edits to those of the client."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.documents.convert import Program


def make_workspace_edit(
    program: Program, edits: Sequence[Edit], client: Client, imported: Program | None = None
) -> types.WorkspaceEdit:
    """Return the edits by document, with the document versions where the client checks them.

    `imported` is the file that they are in if it is not `program` itself.
    """
    by_document: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        place = program.location_of(edit.span) or (imported.location_of(edit.span) if imported is not None else None)
        if place is not None:
            by_document.setdefault(place.uri, []).append(types.TextEdit(place.range, edit.content))
    if not client.document_changes:
        return types.WorkspaceEdit(changes=by_document)
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(uri, _find_version(uri, program, imported)), changes
            )
            for uri, changes in by_document.items()
        ]
    )


def _find_version(uri: str, *programs: Program | None) -> int | None:
    parts = (program.find_part(uri) for program in programs if program is not None)
    return next((part.version for part in parts if part is not None), None)
