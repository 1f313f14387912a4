"""textDocument/inlayHint: versions after writes, and what an op keeps at which version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from inplace_lsp.lsp.session import Result, Session
from inplace_lsp.lsp.why_fine import Teller
from inplace_lsp.tape.autograd import is_as_made
from inplace_lsp.tape.model import Save, Tape, Write

WAIT_SECONDS = 5.0
Hints = dict[tuple[int, int], list[str]]
"""Labels by the end of the statement they belong to."""


async def handle(session: Session, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The hints of the lines that are shown: none, those of hazards, or all that the tapes have."""
    wanted = session.settings.inlay_hints
    uri = params.text_document.uri
    result = await session.current(uri, WAIT_SECONDS) if wanted != "off" else None
    if result is None:
        return None
    start, end = result.program.place(uri, params.range.start), result.program.place(uri, params.range.end)
    if start is None or end is None:
        return None
    rows = range(start[0], end[0] + 1)
    return [
        hint for place, labels in hints_of(result, wanted).items() for hint in _hint(result, uri, place, labels, rows)
    ]


def hints_of(result: Result, wanted: str) -> Hints:
    """All hints of an analysis, worked out once."""
    if wanted not in result.hints:
        result.hints[wanted] = _collect(_tapes(result, wanted), result.program.filename)
    return result.hints[wanted]


def _tapes(result: Result, wanted: str) -> Iterable[Tape]:
    if wanted == "all":
        return result.analysis.tapes
    return [Tape(finding.function, finding.story) for finding in result.analysis.findings]


def _collect(tapes: Iterable[Tape], file: str) -> Hints:
    hints: Hints = {}
    for tape in tapes:
        teller = Teller(tape)
        for event in tape.events:
            if isinstance(event, (Save, Write)) and event.span.file == file:
                labels = hints.setdefault((event.span.end_row, event.span.end_column), [])
                label = _label(event, teller)
                if label and label not in labels:
                    labels.append(label)
    return hints


def _label(event: Save | Write, teller: Teller) -> str:
    name = teller.name(event.tensor).strip("`")
    if isinstance(event, Save):
        kept = event.when and not is_as_made(event)
        return f"{event.op} keeps {name} v{event.tensor.version}" if kept else ""
    if event.version_after == event.tensor.version:
        return f"{name} v{event.tensor.version}, unseen"
    return f"{name} v{event.tensor.version} → v{event.version_after}"


def _hint(
    result: Result, uri: str, place: tuple[int, int], labels: list[str], rows: range
) -> Iterator[types.InlayHint]:
    at = result.program.position(*place) if place[0] in rows and labels else None
    if at is not None and at[0] == uri:
        shown = labels if len(labels) <= 3 else [*labels[:3], "…"]
        tooltip = "\n".join(labels) if len(labels) > 3 else None
        yield types.InlayHint(at[1], "; ".join(shown), padding_left=True, tooltip=tooltip)
