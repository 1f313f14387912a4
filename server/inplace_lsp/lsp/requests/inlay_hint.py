"""textDocument/inlayHint: versions after writes, what an op saves at which version, and what a line keeps in memory."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from inplace_lsp.lsp.documents.programs import find_filename
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.session.view import SessionView
from inplace_lsp.report.labels import Labels, make_labels

WAIT_SECONDS = 5.0


async def handle(session: SessionView, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """Return the hints of the visible lines: none, those of hazards, or all, as the settings say."""
    uri = params.text_document.uri
    settings = session.settings.find_for_file(find_filename(uri))
    wanted, asked = settings.inlay_hints, settings.inlay_hints != "off" or settings.memory_hints
    result = await session.current_result(uri, WAIT_SECONDS) if asked else None
    if result is None:
        return None
    start, end = result.program.place_of(uri, params.range.start), result.program.place_of(uri, params.range.end)
    if start is None or end is None:
        return None
    rows = range(start[0], end[0] + 1)
    versions = find_hints(result, wanted) if wanted != "off" else {}
    hints = [hint for place, labels in versions.items() for hint in _place_hint(result, uri, place, labels, rows)]
    return [*hints, *(_make_memory_hints(result, uri, rows) if settings.memory_hints else ())]


def find_hints(result: Result, wanted: str) -> Labels:
    """Return all hints of an analysis, computed once."""
    if wanted not in result.hints:
        result.hints[wanted] = make_labels(result.analysis, wanted, result.program.filename)
    return result.hints[wanted]


def _place_hint(
    result: Result, uri: str, place: tuple[int, int], labels: list[str], rows: range
) -> Iterator[types.InlayHint]:
    at = result.program.position_of(*place) if place[0] in rows and labels else None
    if at is not None and at[0] == uri:
        shown = labels if len(labels) <= 3 else [*labels[:3], "…"]
        tooltip = "\n".join(labels) if len(labels) > 3 else None
        yield types.InlayHint(at[1], "; ".join(shown), padding_left=True, tooltip=tooltip)


def _make_memory_hints(result: Result, uri: str, rows: range) -> Iterator[types.InlayHint]:
    """Yield what the lines keep in memory until backward, as far as a run has measured it."""
    memory = result.verified.list_memory()
    if not memory:
        return
    from inplace_lsp.report.memory_labels import label_memory  # noqa: PLC0415  (few functions were measured)

    for place, (label, explained) in label_memory(memory).items():
        at = result.program.position_of(*place) if place[0] in rows else None
        if at is not None and at[0] == uri:
            yield types.InlayHint(at[1], label, padding_left=True, tooltip=explained)
