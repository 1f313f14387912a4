"""textDocument/inlayHint: versions after writes, and what an op saves at which version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lsprotocol import types

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.parts import is_by_backward
from inplace_lsp.lsp.programs import filename_of
from inplace_lsp.lsp.result import Result
from inplace_lsp.lsp.safe_writes import TapeTeller
from inplace_lsp.lsp.session import Session
from inplace_lsp.report.predicted import tape_of
from inplace_lsp.report.story import end_of
from inplace_lsp.tape.autograd import PRIVATE, find_rejection, is_as_made
from inplace_lsp.tape.model import Event, Save, Tape, Write

WAIT_SECONDS = 5.0
Hints = dict[tuple[int, int], list[str]]
"""Labels by the end of the statement they belong to."""


async def handle(session: Session, params: types.InlayHintParams) -> list[types.InlayHint] | None:
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


def hints_of(result: Result, wanted: str) -> Hints:
    """Return all hints of an analysis, computed once."""
    if wanted not in result.hints:
        result.hints[wanted] = _collect_labels(_shown_tapes(result, wanted), result.program.filename)
    return result.hints[wanted]


def _shown_tapes(result: Result, wanted: str) -> Iterable[Tape]:
    """Return the tapes to show: all events, or the stories of the hazards up to the error."""
    if wanted == "all":
        return [replace(tape, events=tuple(_reached_events(tape))) for tape in result.analysis.tapes]
    return [_story_tape(result, finding) for finding in result.analysis.findings]


def _reached_events(tape: Tape) -> Iterator[Event]:
    """Yield the events before torch raises, and later ones on other lines; not the further rounds of a loop that the
    error ends."""
    end = end_of(tape)
    yield from tape.events[:end]
    seen = {event.span for event in tape.events[:end]}
    yield from (event for event in tape.events[end:] if event.span not in seen)


def _story_tape(result: Result, finding: Finding) -> Tape:
    """Return the events of a finding's tensors up to the error."""
    tape = tape_of(result.analysis.tapes, finding)
    end = end_of(tape, finding.span)
    reached = set(map(id, tape.events[:end]))
    return Tape(finding.function, tuple(event for event in finding.story if id(event) in reached))


def _collect_labels(tapes: Iterable[Tape], file: str) -> Hints:
    hints: Hints = {}
    for tape in tapes:
        teller = TapeTeller(tape)
        for event in tape.events:
            if isinstance(event, (Save, Write)) and event.span.file == file:
                labels = hints.setdefault((event.span.end_row, event.span.end_column), [])
                label = label_of(event, teller)
                if label and label not in labels:
                    labels.append(label)
    return hints


def label_of(event: Save | Write, teller: TapeTeller) -> str:
    """Return the label after the statement of an event, "" for none."""
    name = teller.name_of(event.tensor).strip("`")
    if isinstance(event, Save):
        kept = event.when and not is_as_made(event) and event.role != PRIVATE
        return f"{event.op} keeps {name} v{event.tensor.version}" if kept else ""
    refused = find_rejection(event)
    if refused is not None and refused[1].always:
        return f"{name} stays v{event.tensor.version}: torch refuses"
    unseen = teller.unseen_by(event)
    if unseen is not None:
        return f"{teller.name_of(unseen).strip('`')} stays v{unseen.version}: unseen"
    return "" if is_by_backward(event) else f"{name} v{event.tensor.version} → v{event.version_after}"


def _place_hint(
    result: Result, uri: str, place: tuple[int, int], labels: list[str], rows: range
) -> Iterator[types.InlayHint]:
    at = result.program.position_of(*place) if place[0] in rows and labels else None
    if at is not None and at[0] == uri:
        shown = labels if len(labels) <= 3 else [*labels[:3], "…"]
        tooltip = "\n".join(labels) if len(labels) > 3 else None
        yield types.InlayHint(at[1], "; ".join(shown), padding_left=True, tooltip=tooltip)
