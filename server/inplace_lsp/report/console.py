"""A console of rich that prints reports as they are."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.text import Text


def make_plain_console(file: TextIO) -> Console:
    """Return a console that prints lines as they are, however long; in colour where `file` is a terminal."""
    return Console(file=file, soft_wrap=True, highlight=False, emoji=False, markup=False)


def print_text(console: Console, text: Text) -> None:
    """Print a text and a line end. Without colours it is written directly: rich takes longer to render a finding than
    the analysis to find it."""
    if console.color_system is not None:
        console.print(text)
        return
    text.expand_tabs(console.tab_size)
    console.file.write(f"{text.plain}\n")
