"""inplace/trace (a request of our own): the tape of the function or hazard at a place, drawn as HTML, text or JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import from_fs_path

from inplace_lsp.engine import function_at, tapes_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.client.static_capabilities import TRACE
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.documents.sources import Sources
from inplace_lsp.lsp.session.view import SessionView
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.plain import Plain

WHICH = ("best", "observed", "predicted")
FORMATS = ("html", "text", "json")
WAIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ShownTape:
    """A tape to draw. `at`: the write to show. `title`: a short title for a tab. `headline`: the sentence to show if
    the tape has no violation."""

    tape: Tape
    origin: Literal["predicted", "observed"]
    title: str
    at: Span | None
    headline: str = ""


async def handle(session: SessionView, params: object) -> dict[str, Plain] | None:
    """Return `{"title", "source", "content", "rows"}`; None where there is no such tape."""
    uri, position = _read_place(params)
    which = _read_choice(WHICH, getattr(params, "source", "best"), "source")
    form = _read_choice(FORMATS, getattr(params, "format", "html"), "format")
    nonce = str(getattr(params, "nonce", ""))
    width = getattr(params, "width", 0)
    if not isinstance(width, int) or width < 0:
        raise JsonRpcInvalidParams(f"{TRACE}: width = {width!r}: must be a number of columns, or 0 for no limit")
    result = await session.current_result(uri, WAIT_SECONDS)
    place = result.program.place_of(uri, position) if result else None
    shown = await asyncio.to_thread(_find_tape, result, place[0], which) if result is not None and place else None
    if result is None or shown is None:
        return None
    program = result.program
    sources = Sources({**session.open_texts(program.key), program.filename: program.text})
    content, lines = await asyncio.to_thread(_draw_tape, shown, sources, form, nonce, width)
    rows = list(_list_event_rows(shown.tape, program, lines))
    return {"title": shown.title, "source": shown.origin, "content": content, "rows": rows}


def _read_place(params: object) -> tuple[str, types.Position]:
    try:
        position = attrgetter("position")(params)
        uri = attrgetter("textDocument.uri")(params)
        return str(uri), types.Position(int(position.line), int(position.character))
    except (AttributeError, TypeError, ValueError):
        raise JsonRpcInvalidParams(f"{TRACE}: `textDocument` and `position` are needed") from None


def _read_choice(allowed: tuple[str, ...], value: object, name: str) -> str:
    if value not in allowed:
        raise JsonRpcInvalidParams(f"{TRACE}: {name} = {value!r}: must be one of {', '.join(allowed)}")
    return str(value)


def _find_tape(result: Result, row: int, which: str) -> ShownTape | None:
    observed = _find_observed_tape(result, row) if which != "predicted" else None
    return observed or (_find_predicted_tape(result, row) if which != "observed" else None)


def _find_observed_tape(result: Result, row: int) -> ShownTape | None:
    """Return a run's tape: that of the function on `row`, else one that showed a hazard there."""
    here = Span(result.program.filename, row, 0, row, 0)
    own = result.verified.find_proof(here)
    for held in (*((own,) if own else ()), *result.verified.held):
        found = [finding for finding in held.shown if _is_reported_at(finding, here)]
        tape = held.tape if found or held is own else None
        if tape is not None:
            at = next(iter(found), next(iter(held.shown), None))
            title = f"{held.verdict.function}: {held.verdict.verdict}"
            return ShownTape(tape, "observed", title, at.span if at else None, title)
    return None


def _find_predicted_tape(result: Result, row: int) -> ShownTape | None:
    from inplace_lsp.report.predicted_tape import find_tape  # noqa: PLC0415  (drawing is loaded when it is first wanted)

    analysis, here = result.analysis, Span(result.program.filename, row, 0, row, 0)
    found = next((finding for finding in analysis.findings if _is_reported_at(finding, here)), None)
    if found is not None:
        title = f"{found.code} on line {found.span.row}"
        return ShownTape(find_tape(analysis.tapes, found), "predicted", title, found.span, found.message)
    around = function_at(result.program.text, row)
    name = around.name if around is not None else "<module>"
    known = [tape for tape in analysis.tapes if tape.function == name]
    tapes = [tape for tape in known or _run_function_at(result, row) if tape.events]
    return ShownTape(tapes[0], "predicted", name, None, name) if tapes else None


def _run_function_at(result: Result, row: int) -> Sequence[Tape]:
    """Return the tapes of a function that the analysis did not run."""
    return tapes_at(result.program.text, result.program.filename, row, result.analysis.facts)


def _is_reported_at(finding: Finding, here: Span) -> bool:
    """Return whether a finding is reported on that line; one in another file is reported at the call."""
    spans = [finding.span, *(note.span for note in finding.related if note.role == "written")]
    return any(span.file == here.file and span.row <= here.row <= span.end_row for span in spans)


def _draw_tape(shown: ShownTape, sources: Sources, form: str, nonce: str, width: int) -> tuple[str, dict[int, int]]:
    """Return the drawing, and, for a text, the line that shows each event."""
    import json  # noqa: PLC0415

    from inplace_lsp.report.trace import draw_picture  # noqa: PLC0415
    from inplace_lsp.report.trace_html import trace_html  # noqa: PLC0415
    from inplace_lsp.report.trace_json import trace_json  # noqa: PLC0415
    from inplace_lsp.report.trace_text import picture_text  # noqa: PLC0415

    tape, origin, at, title = shown.tape, shown.origin, shown.at, shown.headline
    if form == "html":
        return trace_html(tape, sources, nonce=nonce, origin=origin, at=at, title=title), {}
    if form == "json":
        return json.dumps(trace_json(tape, origin=origin, at=at, title=title), indent=2), {}
    text = picture_text(draw_picture(tape, origin, at, title), tape, sources, width=width)
    return text.content, text.lines


def _list_event_rows(tape: Tape, program: Program, lines: dict[int, int]) -> Iterator[dict[str, Plain]]:
    """Yield the client's location of each event; `row` is the row by which the page calls it, `contentLine` the line of
    a text that shows it."""
    for index, event in enumerate(tape.events):
        span = event.span
        place = program.location_of(span)
        uri = place.uri if place is not None else from_fs_path(span.file)
        if uri:
            line = place.range.start.line if place is not None else span.row - 1
            shown = {"contentLine": lines[index]} if index in lines else {}
            yield {"line": line, "uri": uri, "event": index, "row": span.row, **shown}
