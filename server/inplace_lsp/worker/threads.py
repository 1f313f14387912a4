"""Threads of the program: torch's modes and hooks belong to the thread that sets them, so each thread gets its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager


@contextmanager
def watch_threads(watched: Callable[[], AbstractContextManager[object]]) -> Iterator[list[str]]:
    """Run the bodies of Python's threads inside `watched()`. Yields the names of the threads as they are started."""
    plain = threading.Thread.start
    names: list[str] = []

    def start(thread: threading.Thread) -> None:
        body = thread.run

        def run() -> None:
            with watched():
                body()

        thread.run = run  # type: ignore[method-assign]
        names.append(thread.name)
        plain(thread)

    threading.Thread.start = start  # type: ignore[method-assign,assignment]
    try:
        yield names
    finally:
        threading.Thread.start = plain  # type: ignore[method-assign]
