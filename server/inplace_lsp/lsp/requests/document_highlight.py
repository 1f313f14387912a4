"""textDocument/documentHighlight: the places of the hazard under the cursor: where saved, written, needed again."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.session.view import SessionView
from inplace_lsp.tape.model import Span

WAIT_SECONDS = 2.0
KINDS = {"written": types.DocumentHighlightKind.Write, "saved": types.DocumentHighlightKind.Read}


async def handle(session: SessionView, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    """Return the highlights of a hazard; elsewhere nothing, so that the editor shows its own."""
    uri = params.text_document.uri
    result = await session.current_result(uri, WAIT_SECONDS)
    place = result.program.place_of(uri, params.position) if result else None
    if result is None or place is None:
        return None
    places = [spot for finding in result.analysis.findings for spot in _list_places(finding, result, place[0])]
    found: dict[tuple[int, int], types.DocumentHighlight] = {}
    for span, role in places:
        location = result.program.location_of(span)
        if location is not None and location.uri == uri:
            kind = KINDS.get(role, types.DocumentHighlightKind.Text)
            found.setdefault((span.row, span.column), types.DocumentHighlight(location.range, kind))
    return list(found.values()) or None


def _list_places(finding: Finding, result: Result, row: int) -> list[tuple[Span, str]]:
    """Return the places of a finding that has one on `row`."""
    places: list[tuple[Span, str]] = [(finding.span, "written"), *((note.span, note.role) for note in finding.related)]
    file = result.program.filename
    return places if any(span.file == file and span.row <= row <= span.end_row for span, _ in places) else []
