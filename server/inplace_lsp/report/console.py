"""A console of rich that prints reports as they are."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console


def make_plain_console(file: TextIO) -> Console:
    """Return a console that prints lines as they are, however long; in colour where `file` is a terminal."""
    return Console(file=file, soft_wrap=True, highlight=False, emoji=False, markup=False)
