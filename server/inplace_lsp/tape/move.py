"""Move a tape with the lines of its file after an edit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from inplace_lsp.tape.model import Event, Span, Tape

Move = Callable[[Span], Span]


def move_by_rows(file: str, starts: Sequence[tuple[int, int]]) -> Move:
    """Return the move of spans of `file` when its pieces move; `starts` are the (old, new) first rows of the pieces."""
    rows = [old for old, _ in starts]

    def move(span: Span) -> Span:
        at = bisect_right(rows, span.row) - 1
        if span.file != file or at < 0:
            return span
        shift = starts[at][1] - starts[at][0]
        return replace(span, row=span.row + shift, end_row=span.end_row + shift) if shift else span

    return move


def move_tape(tape: Tape, move: Move) -> Tape:
    """Return `tape` with every span moved."""
    return replace(tape, events=tuple(_move_event(event, move) for event in tape.events))


def _move_event(event: Event, move: Move) -> Event:
    kind: Any = type(event)
    changes: dict[str, Any] = {name: move(span) for name in _span_fields(kind) if (span := getattr(event, name))}
    return replace(event, **changes)


@cache
def _span_fields(event: Any) -> tuple[str, ...]:
    """Return the fields of an event's class that hold a span."""
    return tuple(field.name for field in fields(event) if "Span" in str(field.type))
