"""inplace/trace (a request of our own): the tape of the function or hazard at a place, drawn as HTML, text or JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import from_fs_path

from inplace_lsp.engine import function_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.offered import TRACE
from inplace_lsp.lsp.session import Result, Session
from inplace_lsp.lsp.sources import Sources
from inplace_lsp.tape.model import Span, Tape

WHICH = ("best", "observed", "predicted")
FORMATS = ("html", "text", "json")
WAIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A tape that is to be drawn. `at`: the write it is about."""

    tape: Tape
    origin: Literal["predicted", "observed"]
    title: str
    at: Span | None


async def handle(session: Session, params: Any) -> dict[str, Any] | None:
    """`{"title", "source", "content", "rows"}`; None where there is no such tape."""
    uri, position = _place(params)
    which = _one_of(WHICH, getattr(params, "source", "best"), "source")
    form = _one_of(FORMATS, getattr(params, "format", "html"), "format")
    nonce = str(getattr(params, "nonce", ""))
    result = await session.current(uri, WAIT_SECONDS)
    place = result.program.place(uri, position) if result else None
    shown = await asyncio.to_thread(_shown, result, place[0], which) if result is not None and place else None
    if result is None or shown is None:
        return None
    program = result.program
    sources = Sources({**session.opened(program.key), program.filename: program.text})
    content, lines = await asyncio.to_thread(_drawn, shown, sources, form, nonce)
    rows = list(_rows(shown.tape, program, lines))
    return {"title": shown.title, "source": shown.origin, "content": content, "rows": rows}


def _place(params: Any) -> tuple[str, types.Position]:
    try:
        position = types.Position(int(params.position.line), int(params.position.character))
        return str(params.textDocument.uri), position
    except (AttributeError, TypeError, ValueError):
        raise JsonRpcInvalidParams(f"{TRACE}: `textDocument` and `position` are needed") from None


def _one_of(allowed: tuple[str, ...], value: Any, name: str) -> str:
    if value not in allowed:
        raise JsonRpcInvalidParams(f"{TRACE}: {name} = {value!r}: must be one of {', '.join(allowed)}")
    return str(value)


def _shown(result: Result, row: int, which: str) -> Shown | None:
    observed = _observed(result, row) if which != "predicted" else None
    return observed or (_predicted(result, row) if which != "observed" else None)


def _observed(result: Result, row: int) -> Shown | None:
    """Of the runs those of the function on `row` come first, then those that showed something there."""
    here = Span(result.program.filename, row, 0, row, 0)
    own = result.verified.about(here)
    for held in (*((own,) if own else ()), *result.verified.held):
        found = [one for one in held.shown if _has(one, here)]
        tape = held.tape if found or held is own else None
        if tape is not None:
            at = next(iter(found), next(iter(held.shown), None))
            title = f"{held.verdict.function}: {held.verdict.verdict}"
            return Shown(tape, "observed", title, at.span if at else None)
    return None


def _predicted(result: Result, row: int) -> Shown | None:
    from inplace_lsp.report.predicted import tape_of  # noqa: PLC0415  (drawing is loaded when it is first wanted)

    analysis, here = result.analysis, Span(result.program.filename, row, 0, row, 0)
    found = next((one for one in analysis.findings if _has(one, here)), None)
    if found is not None:
        return Shown(tape_of(analysis.tapes, found), "predicted", found.message, found.span)
    around = function_at(result.program.text, row)
    name = around.name if around is not None else "<module>"
    tapes = [tape for tape in analysis.tapes if tape.function == name and tape.events]
    return Shown(tapes[0], "predicted", name, None) if tapes else None


def _has(finding: Finding, here: Span) -> bool:
    """Whether a finding is told on that line: of another file, where it is called."""
    spans = [finding.span, *(one.span for one in finding.related if one.role == "written")]
    return any(span.file == here.file and span.row <= here.row <= span.end_row for span in spans)


def _drawn(shown: Shown, sources: Sources, form: str, nonce: str) -> tuple[str, dict[int, int]]:
    """The drawing, and, of a text, the line of it that shows each event."""
    import json  # noqa: PLC0415

    from inplace_lsp.report.trace import picture  # noqa: PLC0415
    from inplace_lsp.report.trace_html import trace_html  # noqa: PLC0415
    from inplace_lsp.report.trace_json import trace_json  # noqa: PLC0415
    from inplace_lsp.report.trace_text import picture_text  # noqa: PLC0415

    tape, origin, at, title = shown.tape, shown.origin, shown.at, shown.title
    if form == "html":
        return trace_html(tape, sources, nonce=nonce, origin=origin, at=at, title=title), {}
    if form == "json":
        return json.dumps(trace_json(tape, origin=origin, at=at, title=title), indent=2), {}
    text = picture_text(picture(tape, origin, at, title), tape, sources)
    return text.content, text.lines


def _rows(tape: Tape, program: Program, lines: dict[int, int]) -> Iterator[dict[str, Any]]:
    """Where the client finds each event; `row` is the row by which the page calls it, `contentLine` the line of a text
    that shows it."""
    for index, event in enumerate(tape.events):
        span = event.span
        place = program.location(span)
        uri = place.uri if place is not None else from_fs_path(span.file)
        if uri:
            line = place.range.start.line if place is not None else span.row - 1
            shown = {"contentLine": lines[index]} if index in lines else {}
            yield {"line": line, "uri": uri, "event": index, "row": span.row, **shown}
