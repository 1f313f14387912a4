"""Wrap lines for people at words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.text import Text

from inplace_lsp.report.widths import measure_text

UNLIMITED = 0
"""The number of columns that means that lines are not wrapped."""
_WORD = re.compile(r"(?:\d+ -> \d+|`[^`\n]*`|[^\s`]|`)+")
"""Code between backticks and a change of version stay in one piece."""


def wrap_line(line: Text, columns: int, hang: int, whole: int = 0) -> Iterator[Text]:
    """Yield a line in pieces of at most `columns`, all but the first indented by `hang`. Do not break longer words, nor
    the first `whole` characters."""
    if columns == UNLIMITED or measure_text(line.plain) <= columns:
        yield line
        return
    start, end, indent = 0, 0, 0
    for first, last in _find_words(line.plain, columns - hang):
        if end > start and end >= whole and indent + measure_text(line.plain[start:last]) > columns:
            yield _indent_piece(line[start:end], indent)
            start, indent = first, hang
        end = last
    yield _indent_piece(line[start:end], indent)


def _find_words(text: str, widest: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of each word; code in backticks is one word if it fits into a line."""
    for match in _WORD.finditer(text):
        if measure_text(match[0]) <= widest:
            yield match.span()
        else:
            yield from (
                (match.start() + part.start(), match.start() + part.end()) for part in re.finditer(r"\S+", match[0])
            )


def _indent_piece(piece: Text, indent: int) -> Text:
    return Text.assemble(" " * indent, piece) if indent else piece
