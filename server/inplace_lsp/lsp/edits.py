"""Our edits as the client applies them."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.lsp.client import Client
from inplace_lsp.lsp.convert import Program


def workspace_edit(
    program: Program, edits: Sequence[Edit], client: Client, imported: Program | None = None
) -> types.WorkspaceEdit:
    """The edits by document; with the versions they are meant for where the client looks at these.

    `imported` is the file that they are in if it is not `program` itself.
    """
    by_document: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        place = program.location(edit.span) or (imported.location(edit.span) if imported is not None else None)
        if place is not None:
            by_document.setdefault(place.uri, []).append(types.TextEdit(place.range, edit.content))
    if not client.document_changes:
        return types.WorkspaceEdit(changes=by_document)
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(uri, _version(uri, program, imported)), changes
            )
            for uri, changes in by_document.items()
        ]
    )


def _version(uri: str, *programs: Program | None) -> int | None:
    parts = (one.part(uri) for one in programs if one is not None)
    return next((part.version for part in parts if part is not None), None)
