"""The console that prints reports for people: rich's, which adds nothing of its own."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console


def plain_console(file: TextIO) -> Console:
    """Return a console that prints lines as they are, however long; in colour where `file` is a terminal."""
    return Console(file=file, soft_wrap=True, highlight=False, emoji=False, markup=False)
