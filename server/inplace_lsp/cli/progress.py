"""Show the progress of a command: a line on a terminal, JSON on request, nothing in a pipe or a log."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Literal, TypeVar

import click

from inplace_lsp.analysis_progress import report_shares_to

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")
ProgressForm = Literal["auto", "json", "none"]
"""*auto*: a line on a terminal. *json*: an object per line on stderr."""

PAUSE_SECONDS = 0.3
"""Seconds before the line appears: a shorter command shows none."""
TURN_SECONDS = 0.1
"""Minimum seconds between two updates of the line."""


def with_progress(items: Iterable[T], total: int, form: ProgressForm) -> Iterator[T]:
    """Pass `items` on and show how many of `total` have come."""
    with show_progress(total, form) as line:
        for item in items:
            line.count_item()
            yield item


@contextmanager
def show_progress(total: int, form: ProgressForm) -> Iterator[NoLine]:
    """Within this block, show how many of `total` files are done, and the share of those under way."""
    if form == "none" or (form == "auto" and not sys.stderr.isatty()):
        yield NoLine()
        return
    with ExitStack() as stack:
        line = ProgressMessages(total) if form == "json" else ProgressLine(total, stack)
        stack.enter_context(report_shares_to(line.show_share))
        yield line


class NoLine:
    """Shows nothing; also the interface of those that do."""

    def count_item(self) -> None:
        """Count a file that is done."""

    def hide_line(self) -> None:
        """Clear the line before other output."""

    def show_share(self, share: float) -> None:
        """Show that this share of the files under way is done."""


class Counter(NoLine):
    """Count the files that are done, and show the count from time to time, first after `pause` seconds."""

    def __init__(self, total: int, pause: float) -> None:
        self._total = total
        self._done = 0
        self._shown = time.monotonic() + pause - TURN_SECONDS

    def count_item(self) -> None:
        """Count a file that is done."""
        self._done += 1
        self.show_share(0)

    def show_share(self, share: float) -> None:
        """Show the progress, unless that was done just now; `share`: the finished share of the files under way."""
        now = time.monotonic()
        if now - self._shown >= TURN_SECONDS:
            self._shown = now
            self.show_done(min(self._done + share, self._total))

    def show_done(self, done: float) -> None:
        """Show how many files are done."""
        raise NotImplementedError


class ProgressMessages(Counter):
    """Print an object on a line of stderr whenever more is done."""

    def __init__(self, total: int) -> None:
        super().__init__(total, 0)
        self._last_shown = 0.0

    def show_done(self, done: float) -> None:
        """Print the message."""
        if done > self._last_shown:
            self._last_shown = done
            click.echo(json.dumps({"done": round(done, 2), "total": self._total}), err=True)


class ProgressLine(Counter):
    """The line on a terminal; it appears when a command takes long, and `stack` removes it."""

    def __init__(self, total: int, stack: ExitStack) -> None:
        super().__init__(total, PAUSE_SECONDS)
        self._stack = stack
        self._progress: Progress | None = None

    def hide_line(self) -> None:
        """Clear the line before other output; it comes back below."""
        if self._progress is not None:
            self._progress.stop()

    def show_done(self, done: float) -> None:
        """Draw the line."""
        if self._progress is None:
            self._progress = self._stack.enter_context(_make_line(self._total))
        self._progress.start()
        self._progress.update(self._progress.task_ids[0], completed=done)
        self._progress.refresh()


def _make_line(total: int) -> Progress:
    from rich.console import Console  # noqa: PLC0415  (not needed in a pipe)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeElapsedColumn())
    # No refresh thread: the processes of the pool are forked from this one.
    console = Console(stderr=True)
    line = Progress(
        *columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
    )
    line.add_task("checking", total=total)
    return line
