"""Lines for people, wrapped at words to the columns there are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.text import Text

from inplace_lsp.report.widths import cell_len

UNLIMITED = 0
"""As a number of columns: lines stay as long as they are."""
_WORD = re.compile(r"(?:\d+ -> \d+|`[^`\n]*`|[^\s`]|`)+")
"""Code between backticks and a change of version stay in one piece."""


def wrap_line(line: Text, columns: int, hang: int, whole: int = 0) -> Iterator[Text]:
    """Yield a line in pieces of at most `columns`, all but the first indented by `hang`. A longer word is not cut, nor
    is the start of the line, `whole` characters of it."""
    if columns == UNLIMITED or cell_len(line.plain) <= columns:
        yield line
        return
    start, end, indent = 0, 0, 0
    for first, last in _words_in(line.plain, columns - hang):
        if end > start and end >= whole and indent + cell_len(line.plain[start:last]) > columns:
            yield _indented(line[start:end], indent)
            start, indent = first, hang
        end = last
    yield _indented(line[start:end], indent)


def _words_in(text: str, widest: int) -> Iterator[tuple[int, int]]:
    """Yield where words begin and end; code is one word if a line has room for it."""
    for match in _WORD.finditer(text):
        if cell_len(match[0]) <= widest:
            yield match.span()
        else:
            yield from (
                (match.start() + part.start(), match.start() + part.end()) for part in re.finditer(r"\S+", match[0])
            )


def _indented(piece: Text, indent: int) -> Text:
    return Text.assemble(" " * indent, piece) if indent else piece
