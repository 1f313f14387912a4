"""The width of a text in terminal columns, by Python's own tables: traces are also drawn without other packages."""

from __future__ import annotations

import shutil
from typing import TextIO
from unicodedata import category, east_asian_width

WIDEST = 100
"""Maximum number of columns of a line for people, and the number for a file or a pipe: longer lines are hard to
read."""
_NARROWEST = 40
_WIDE = ("F", "W")
_WITHOUT_WIDTH = ("Cf", "Me", "Mn")


def find_columns(file: TextIO) -> int:
    """Return the number of columns for lines that are printed to `file`."""
    if not file.isatty():
        return WIDEST
    return max(_NARROWEST, min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST))


def measure_text(text: str) -> int:
    """Return the number of columns that `text` takes."""
    return len(text) if text.isascii() else sum(map(_measure_char, text))


def shorten_to(text: str, columns: int) -> str:
    """Return `text` if it fits into `columns`, else its start with dots."""
    if measure_text(text) <= columns:
        return text
    while measure_text(text) > columns - 3:
        text = text[:-1]
    return f"{text.rstrip()}..."


def _measure_char(char: str) -> int:
    if category(char) in _WITHOUT_WIDTH:
        return 0
    return 2 if east_asian_width(char) in _WIDE else 1
