"""The width of a text in terminal columns, by Python's own tables: traces are drawn where nothing is installed."""

from __future__ import annotations

from unicodedata import category, east_asian_width

_WIDE = ("F", "W")
_WITHOUT_WIDTH = ("Cf", "Me", "Mn")


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
