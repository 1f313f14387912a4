"""A progress line on a terminal; nothing in a pipe or a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from inplace_lsp.telling import telling

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

PAUSE_SECONDS = 0.3
"""What is done sooner shows no line."""
TURN_SECONDS = 0.1
"""How often the line is drawn."""


def with_progress(items: Iterable[T], total: int, *, shown: bool) -> Iterator[T]:
    """Pass `items` on and show on a terminal how many of `total` have come."""
    with showing_progress(total, shown=shown) as line:
        for item in items:
            line.count_item()
            yield item


@contextmanager
def showing_progress(total: int, *, shown: bool) -> Iterator[NoLine]:
    """Within this block, show on a terminal how many of `total` files are done, and the share of those under way."""
    if not shown or not sys.stderr.isatty():
        yield NoLine()
        return
    with ExitStack() as stack:
        line = ProgressLine(total, stack)
        stack.enter_context(telling(line.show_share))
        yield line


class NoLine:
    """What is shown where no terminal is."""

    def count_item(self) -> None:
        """Count a file that is done."""

    def hide(self) -> None:
        """Make room for what is printed."""


class ProgressLine(NoLine):
    """The line; it comes into being when something takes long. `stack` ends it."""

    def __init__(self, total: int, stack: ExitStack) -> None:
        self._total = total
        self._stack = stack
        self._done = 0
        self._drawn = time.monotonic() + PAUSE_SECONDS - TURN_SECONDS
        self._progress: Progress | None = None

    def count_item(self) -> None:
        """Count a file that is done."""
        self._done += 1
        self.show_share(0)

    def hide(self) -> None:
        """Make room for what is printed; the line comes back below."""
        if self._progress is not None:
            self._progress.stop()

    def show_share(self, share: float) -> None:
        """Draw the line, unless it has just been; `share`: how much of the files under way is done."""
        now = time.monotonic()
        if now - self._drawn >= TURN_SECONDS:
            self._drawn = now
            if self._progress is None:
                self._progress = self._stack.enter_context(_make_line(self._total))
            self._progress.start()
            self._progress.update(self._progress.task_ids[0], completed=min(self._done + share, self._total))
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
