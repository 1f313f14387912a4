"""The same tape after an edit moved its lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from inplace_lsp.tape.model import Event, Span, Tape

Move = Callable[[Span], Span]


def by_rows(file: str, starts: Sequence[tuple[int, int]]) -> Move:
    """How spans of `file` move when pieces of it do; `starts` are each piece's (old, new) first row, by old row."""
    rows = [old for old, _ in starts]

    def move(span: Span) -> Span:
        at = bisect_right(rows, span.row) - 1
        if span.file != file or at < 0:
            return span
        shift = starts[at][1] - starts[at][0]
        return replace(span, row=span.row + shift, end_row=span.end_row + shift) if shift else span

    return move


def moved(tape: Tape, move: Move) -> Tape:
    """`tape` with every span moved."""
    return replace(tape, events=tuple(_moved(event, move) for event in tape.events))


def _moved(event: Event, move: Move) -> Event:
    kind: Any = type(event)
    changes: dict[str, Any] = {name: move(span) for name in _spans(kind) if (span := getattr(event, name))}
    return replace(event, **changes)


@cache
def _spans(event: Any) -> tuple[str, ...]:
    """The fields of an event's class that hold a place."""
    return tuple(field.name for field in fields(event) if "Span" in str(field.type))
