"""The error handlers round the statement that is executed, as far as they decide what a run does at torch's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol


class Chooser(Protocol):
    """What chooses among options: each is a path of its own."""

    @property
    def taken(self) -> list[tuple[int, int]]:
        """Return the choices made so far."""

    def choose_option(self, options: int) -> int:
        """Return which option to take."""


class _Handler(NamedTuple):
    """What may catch an error of torch's. `chooser`: None where no path goes on without the error, since the program
    expects it."""

    is_catching: Callable[[], bool]
    chooser: Chooser | None


class Handlers:
    """The handlers that are open, the innermost last."""

    def __init__(self) -> None:
        self._open: list[_Handler] = []

    @property
    def are_open(self) -> bool:
        """Whether there is any."""
        return bool(self._open)

    @contextmanager
    def run_inside(self, is_catching: Callable[[], bool], chooser: Chooser | None = None) -> Iterator[None]:
        """Run what a handler stands round."""
        self._open.append(_Handler(is_catching, chooser))
        try:
            yield
        finally:
            self._open.pop()

    def find_catching(self, *, is_raised_first: bool) -> tuple[int, ...] | None:
        """Return the decisions (their indices) by which torch raises an error here that the program catches; None if
        the run goes on without it. `is_raised_first`: the first path raises, else the second."""
        handler = next((handler for handler in reversed(self._open) if handler.is_catching()), None)
        if handler is None:
            return None
        chooser = handler.chooser
        if chooser is None:
            return () if is_raised_first else None
        is_raised = (chooser.choose_option(2) == 0) == is_raised_first
        return (len(chooser.taken) - 1,) if is_raised else None
