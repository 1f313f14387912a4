"""Scopes that may turn gradients off, since their code is not in sight, with the events recorded in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from inplace_lsp.tape.model import Event, Scope


class Scopes:
    """The unseen scopes of one run. `events` is the recorder's list; `current`: the scopes that are open now."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._first = 0
        self._closed: list[Scope] = []
        self.current: tuple[str, ...] = ()

    @contextmanager
    def run_inside(self, *contexts: str) -> Iterator[None]:
        """Run in further unseen scopes, as the program calls them."""
        before = self.current
        self.change_to((*before, *contexts))
        try:
            yield
        finally:
            self.change_to(before)

    def change_to(self, contexts: tuple[str, ...]) -> None:
        """Record the next events in these scopes: in none where the program itself sets the grad mode."""
        if contexts == self.current:
            return
        end = len(self._events)
        if end > self._first:
            self._closed += [Scope(self._first, end, context) for context in self.current]
        self._first, self.current = end, contexts

    def list_all(self) -> tuple[Scope, ...]:
        """End all scopes, and return those that events were recorded in."""
        self.change_to(())
        return tuple(self._closed)

    def mark(self) -> tuple[Scope, ...]:
        """Return the scopes that have ended."""
        return tuple(self._closed)

    def rewind(self, mark: Sequence[Scope]) -> None:
        """Go back to `mark`, with no scope open."""
        self._closed[:] = mark
        self._first, self.current = len(self._events), ()
