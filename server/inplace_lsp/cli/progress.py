"""A progress line on a terminal; nothing in a pipe or a log."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def with_progress(items: Iterable[T], total: int, *, shown: bool) -> Iterator[T]:
    """Pass `items` on and show on a terminal how many of `total` have come."""
    if not shown or total < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console  # noqa: PLC0415  (not needed in a pipe)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeElapsedColumn())
    console = Console(stderr=True)
    # No refresh thread: the processes of the pool are forked from this one.
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as progress:
        task = progress.add_task("checking", total=total)
        for item in items:
            progress.advance(task)
            progress.refresh()
            yield item
