"""Where the reports for people are printed: rich's console with nothing of its own added to the text."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console


def plain_console(file: TextIO) -> Console:
    """Return a console that prints lines as they are, however long; in colour where `file` is a terminal."""
    return Console(file=file, soft_wrap=True, highlight=False, emoji=False, markup=False)
