"""Ctrl-C and SIGTERM, as time limits send it: both end a check, which then tells what it has found so far."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from inplace_lsp.cli.problems import FAILED, INTERRUPTED


class TerminatedError(KeyboardInterrupt):
    """SIGTERM has come. It takes the way of Ctrl-C: no `except Exception` swallows it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A check that was ended: how, and how many of its files were done."""

    how: str
    status: int
    done: int
    total: int

    def describe(self) -> str:
        """Say in words what was not done."""
        files = f"{self.total} file{'s' * (self.total != 1)}"
        return f"{self.how}: {self.done} of {files} {'was' if self.done == 1 else 'were'} checked"


def describe_interrupt(interrupt: KeyboardInterrupt) -> tuple[str, int]:
    """Return what has come, in a word, and the exit status."""
    return ("terminated", FAILED) if isinstance(interrupt, TerminatedError) else ("interrupted", INTERRUPTED)


@contextmanager
def raised_on_termination() -> Iterator[None]:
    """Within this block, SIGTERM raises TerminatedError in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _raise_terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _raise_terminated(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second one ends the process at once
    raise TerminatedError
