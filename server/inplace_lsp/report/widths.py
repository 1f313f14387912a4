"""The width of a text in terminal columns, by Python's own tables: traces are drawn where nothing is installed."""

from __future__ import annotations

import shutil
from typing import TextIO
from unicodedata import category, east_asian_width

WIDEST = 100
"""Columns of a line for people: longer ones are hard to read, and this is what a file or a pipe gets."""
_NARROWEST = 40
_WIDE = ("F", "W")
_WITHOUT_WIDTH = ("Cf", "Me", "Mn")


def columns_for(file: TextIO) -> int:
    """Return the columns for lines that are printed to `file`."""
    if not file.isatty():
        return WIDEST
    return max(_NARROWEST, min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST))


def cell_len(text: str) -> int:
    """Return the number of columns that `text` takes."""
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def shorten_to(text: str, columns: int) -> str:
    """Return `text` if it fits into `columns`, else its start with dots."""
    if cell_len(text) <= columns:
        return text
    while cell_len(text) > columns - 3:
        text = text[:-1]
    return f"{text.rstrip()}..."


def _columns_of(char: str) -> int:
    if category(char) in _WITHOUT_WIDTH:
        return 0
    return 2 if east_asian_width(char) in _WIDE else 1
