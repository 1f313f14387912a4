"""Move a tape with the lines of its file after an edit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cache, cached_property
from typing import Any, overload

from inplace_lsp.tape.model import Event, Span, Tape

Move = Callable[[Span], Span]


class MoveByRows:
    """The move of spans of `file` when its pieces move; `starts` are the (old, new) first rows of the pieces."""

    def __init__(self, file: str, starts: Sequence[tuple[int, int]]) -> None:
        self._file, self._starts = file, starts
        self._rows = [old for old, _ in starts]

    def __call__(self, span: Span) -> Span:
        """Return where the span is after the move."""
        shift = self._find_shift(span.row) if span.file == self._file else 0
        if not shift:
            return span
        return Span(span.file, span.row + shift, span.column, span.end_row + shift, span.end_column)

    def combine_with(self, other: MoveByRows) -> MoveByRows:
        """Return this move and the other after it as one."""
        return MoveByRows(self._file, [(old, new + other._find_shift(new)) for old, new in self._starts])

    def _find_shift(self, row: int) -> int:
        at = bisect_right(self._rows, row) - 1
        return self._starts[at][1] - self._starts[at][0] if at >= 0 else 0


def move_tape(tape: Tape, move: Move) -> Tape:
    """Return `tape` with every span moved."""
    return replace(tape, events=tuple(_move_event(event, move) for event in tape.events))


def _move_event(event: Event, move: Move) -> Event:
    kind: Any = type(event)
    changes: dict[str, Any] = {
        name: _move_spans(span, move) for name in _span_fields(kind) if (span := getattr(event, name))
    }
    return replace(event, **changes)


def _move_spans(found: Span | tuple[Span, ...], move: Move) -> Span | tuple[Span, ...]:
    return tuple(map(move, found)) if isinstance(found, tuple) else move(found)


@cache
def _span_fields(event: Any) -> tuple[str, ...]:
    """Return the fields of an event's class that hold a span."""
    return tuple(field.name for field in fields(event) if "Span" in str(field.type))


class MovedTapes(Sequence[Tape]):
    """Tapes that are moved when they are first read, each by its move; None leaves a tape where it is."""

    def __init__(self, placed: Iterable[tuple[Tape, Move | None]]) -> None:
        self._placed = tuple(placed)

    @cached_property
    def _moved_tapes(self) -> tuple[Tape, ...]:
        return tuple(tape if move is None else move_tape(tape, move) for tape, move in self._placed)

    @overload
    def __getitem__(self, at: int) -> Tape: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Tape, ...]: ...
    def __getitem__(self, at: int | slice) -> Tape | tuple[Tape, ...]:
        return self._moved_tapes[at]

    def __len__(self) -> int:
        return len(self._placed)

    def __iter__(self) -> Iterator[Tape]:
        return iter(self._moved_tapes)

    def __eq__(self, other: object) -> bool:
        return self._moved_tapes == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._moved_tapes)

    def __repr__(self) -> str:
        return repr(self._moved_tapes)

    def __reduce__(self) -> tuple[type[tuple[Tape, ...]], tuple[tuple[Tape, ...]]]:
        return tuple, (self._moved_tapes,)
