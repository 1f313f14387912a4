"""A picture as JSON: every event with its words and its place in the picture. docs/trace.md describes the schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inplace_lsp.report.trace import Fold, Item, Origin, Picture, draw_whole_tape, flatten_items
from inplace_lsp.report.trace_lanes import Lane
from inplace_lsp.report.violations import Violation, find_violations
from inplace_lsp.tape.codec import event_to_plain
from inplace_lsp.tape.model import Span, Tape
from inplace_lsp.tape.plain import Plain, to_plain

VERSION = 1
"""The version of the schema. Increment it if a field goes or changes its meaning, not for a new field."""


def trace_json(tape: Tape, *, origin: Origin = "observed", at: Span | None = None, title: str = "") -> dict[str, Plain]:
    """Return the trace as plain data."""
    shown = draw_whole_tape(tape, origin, at, title)
    first, *_ = shown.violations or (None,)
    found = sorted(find_violations(tape), key=lambda violation: violation.sentence != (first.sentence if first else ""))
    return {
        "version": VERSION,
        "origin": shown.origin,
        "function": shown.function,
        "headline": shown.headline,
        "error": shown.error,
        "notes": list(shown.notes),
        "violations": [_violation_as_json(violation) for violation in found],
        "lanes": [_lane_as_json(lane) for lane in shown.lanes],
        "folds": list(_folds_as_json(shown.items)),
        "guards": [to_plain(guard) for guard in tape.guards],
        "stops": list(tape.refusals),
        "events": _events_as_json(tape, shown),
    }


def _events_as_json(tape: Tape, shown: Picture) -> list[dict[str, Plain]]:
    words = {row.index: row.words for row in flatten_items(shown.items)}
    return [{"index": index, "words": words[index], **event_to_plain(event)} for index, event in enumerate(tape.events)]


def _violation_as_json(found: Violation) -> dict[str, Plain]:
    return {
        "kind": found.kind,
        "sentence": found.sentence,
        "save": found.save,
        "writes": list(found.writes),
        "check": found.check,
        "freed": found.freed,
        "refused": found.refused,
        "expected_version": found.expected_version,
        "found_version": found.found_version,
        "assumed": found.assumed,
        "guards": list(found.guards),
    }


def _lane_as_json(lane: Lane) -> dict[str, Plain]:
    tracks: list[Plain] = [
        {
            "tensor": segment.tensor,
            "counter": segment.counter,
            "name": segment.name,
            "track": segment.track,
            "first": segment.first,
            "last": segment.last,
        }
        for segment in lane.segments
    ]
    return {"storage": lane.storage, "title": lane.title, "first": lane.first, "last": lane.last, "tensors": tracks}


def _folds_as_json(items: Iterable[Item]) -> Iterator[dict[str, Plain]]:
    """Yield the folds, outer ones before those inside."""
    for item in items:
        if isinstance(item, Fold):
            yield {"kind": item.kind, "words": item.words, "first": item.first, "last": item.last}
            yield from _folds_as_json(item.items)
