"""The conditions that a run stands under, and which events it recorded under each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inplace_lsp.tape.model import Event, Guard


class Condition(NamedTuple):
    """A test of the program that may come out either way, as it came out, and its negation."""

    holds: str
    otherwise: str


class _OpenGuard(NamedTuple):
    """A guard that began with the event `first`; without a condition, messages do not tell it."""

    first: int
    condition: Condition | None
    decisions: tuple[int, ...]


class Guards:
    """The guards of one run, those that are still open on a stack. `events` is the recorder's list."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._open: list[_OpenGuard] = []
        self._closed: list[Guard] = []

    def begin_guard(self, condition: Condition | None, decisions: tuple[int, ...]) -> None:
        """Begin a guard that lasts as long as the scope in which it begins. `decisions` (their indices) led to it."""
        self._open.append(_OpenGuard(len(self._events), condition, decisions))

    def run_inside(self, condition: Condition | None = None, decisions: tuple[int, ...] = ()) -> Scope:
        """Run an arm, a pass of a loop or a function's body: a scope for guards, itself under `condition`."""
        scope = Scope(self, len(self._open))
        if decisions:
            self.begin_guard(condition, decisions)
        return scope

    def list_decisions(self) -> tuple[int, ...]:
        """Return the decisions (their indices) without which the run would not stand where it does."""
        return tuple(index for guard in self._open for index in guard.decisions)

    def close_to(self, depth: int) -> None:
        """End the guards that began after the first `depth`."""
        while len(self._open) > depth:
            guard, end = self._open.pop(), len(self._events)
            if end > guard.first and guard.condition is not None:
                self._closed.append(Guard(guard.first, end, *guard.condition))

    def list_all(self) -> tuple[Guard, ...]:
        """End all guards, and return those that events stand under, outer ones first."""
        self.close_to(0)
        return tuple(sorted(self._closed, key=lambda guard: (guard.first, -guard.end)))

    def mark(self) -> tuple[Guard, ...]:
        """Return the guards that have ended."""
        return tuple(self._closed)

    def rewind(self, mark: Sequence[Guard]) -> None:
        """Go back to `mark`, with no guard open."""
        self._open.clear()
        self._closed[:] = mark


class Scope:
    """A scope at whose end its guards end. Every call and arm opens one, so it is no generator."""

    __slots__ = ("_depth", "_guards")

    def __init__(self, guards: Guards, depth: int) -> None:
        self._guards, self._depth = guards, depth

    def __enter__(self) -> None:
        """Do nothing: the scope has begun when it was made."""

    def __exit__(self, *error: object) -> None:
        """End the guards that began in the scope."""
        self._guards.close_to(self._depth)
