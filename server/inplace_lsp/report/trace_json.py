"""A picture as JSON: every event with its words, and what the picture makes of them. docs/trace.md tells its schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from inplace_lsp.report.trace import Fold, Item, Origin, Picture, flat, picture
from inplace_lsp.report.trace_lanes import Lane
from inplace_lsp.report.violations import Violation
from inplace_lsp.tape.codec import event_to_plain
from inplace_lsp.tape.model import Span, Tape

VERSION = 1
"""Raised when a field changes its meaning or goes; new fields do not raise it."""


def trace_json(tape: Tape, *, origin: Origin = "observed", at: Span | None = None, title: str = "") -> dict[str, Any]:
    """The trace as plain data."""
    shown = picture(tape, origin, at, title)
    return {
        "version": VERSION,
        "origin": shown.origin,
        "function": shown.function,
        "headline": shown.headline,
        "error": shown.error,
        "notes": list(shown.notes),
        "violations": [_violation(one) for one in shown.violations],
        "lanes": [_lane(one) for one in shown.lanes],
        "folds": list(_folds(shown.items)),
        "events": _events(tape, shown),
    }


def _events(tape: Tape, shown: Picture) -> list[dict[str, Any]]:
    words = {row.index: row.words for row in flat(shown.items)}
    return [{"index": index, "words": words[index], **event_to_plain(event)} for index, event in enumerate(tape.events)]


def _violation(found: Violation) -> dict[str, Any]:
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
    }


def _lane(lane: Lane) -> dict[str, Any]:
    tracks = [
        {
            "tensor": one.tensor,
            "counter": one.counter,
            "name": one.name,
            "track": one.track,
            "first": one.first,
            "last": one.last,
        }
        for one in lane.segments
    ]
    return {"storage": lane.storage, "title": lane.title, "first": lane.first, "last": lane.last, "tensors": tracks}


def _folds(items: Iterable[Item]) -> Iterator[dict[str, Any]]:
    """The folds, outer ones before those inside."""
    for item in items:
        if isinstance(item, Fold):
            yield {"kind": item.kind, "words": item.words, "first": item.first, "last": item.last}
            yield from _folds(item.items)
