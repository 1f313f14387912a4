"""textDocument/inlayHint: versions after writes, and what an op saves at which version."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from inplace_lsp.lsp.documents.programs import filename_of
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.session.view import SessionView
from inplace_lsp.report.labels import Labels, labels_of

WAIT_SECONDS = 5.0


async def handle(session: SessionView, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """Return the hints of the visible lines: none, those of hazards, or all, as the settings say."""
    uri = params.text_document.uri
    wanted = session.settings.for_file(filename_of(uri)).inlay_hints
    result = await session.current_result(uri, WAIT_SECONDS) if wanted != "off" else None
    if result is None:
        return None
    start, end = result.program.place_of(uri, params.range.start), result.program.place_of(uri, params.range.end)
    if start is None or end is None:
        return None
    rows = range(start[0], end[0] + 1)
    return [
        hint
        for place, labels in hints_of(result, wanted).items()
        for hint in _place_hint(result, uri, place, labels, rows)
    ]


def hints_of(result: Result, wanted: str) -> Labels:
    """Return all hints of an analysis, computed once."""
    if wanted not in result.hints:
        result.hints[wanted] = labels_of(result.analysis, wanted, result.program.filename)
    return result.hints[wanted]


def _place_hint(
    result: Result, uri: str, place: tuple[int, int], labels: list[str], rows: range
) -> Iterator[types.InlayHint]:
    at = result.program.position_of(*place) if place[0] in rows and labels else None
    if at is not None and at[0] == uri:
        shown = labels if len(labels) <= 3 else [*labels[:3], "…"]
        tooltip = "\n".join(labels) if len(labels) > 3 else None
        yield types.InlayHint(at[1], "; ".join(shown), padding_left=True, tooltip=tooltip)
