"""Ctrl-C and SIGTERM (which time limits send): both end a check, which then reports what it has found so far."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from inplace_lsp.cli.problems import FAILED, INTERRUPTED


class TerminatedError(KeyboardInterrupt):
    """SIGTERM has arrived. It is handled as Ctrl-C is: no `except Exception` swallows it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """An interrupted check: by what, and how many of its files were done."""

    how: str
    status: int
    done: int
    total: int

    def describe_rest(self) -> str:
        """Return a sentence about the files that were not checked."""
        files = f"{self.total} file{'s' * (self.total != 1)}"
        return f"{self.how}: {self.done} of {files} {'was' if self.done == 1 else 'were'} checked"


def describe_interrupt(interrupt: KeyboardInterrupt) -> tuple[str, int]:
    """Return a word for the interrupt, and the exit status."""
    return ("terminated", FAILED) if isinstance(interrupt, TerminatedError) else ("interrupted", INTERRUPTED)


@contextmanager
def raise_on_termination() -> Iterator[None]:
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
