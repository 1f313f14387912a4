"""Apply edits to a text and map its rows to those after the edits."""

from __future__ import annotations

import difflib
import io
from collections.abc import Sequence

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Return `text` after the edits, which may not overlap; two insertions at one place keep their order."""
    starts = _list_line_starts(text)
    placed = sorted(enumerate(edits), key=lambda item: (item[1].span, item[0]), reverse=True)
    for _, edit in placed:
        start = _find_offset(starts, edit.span.row, edit.span.column, len(text))
        end = _find_offset(starts, edit.span.end_row, edit.span.end_column, len(text))
        text = text[:start] + edit.content + text[end:]
    return text


def find_row_after(row: int, column: int, edits: Sequence[Edit]) -> int:
    """Return the row that `row`, `column` moves to under the edits."""
    before = (edit for edit in edits if (edit.span.end_row, edit.span.end_column) <= (row, column))
    return row + sum(_count_rows(edit.content) - (edit.span.end_row - edit.span.row) for edit in before)


def insert_at(file: str, row: int, column: int, content: str) -> Edit:
    """Insert `content` at `row`, `column`."""
    return Edit(content, Span(file, row, column, row, column))


def find_edits_between(old: str, new: str, filename: str) -> tuple[Edit, ...]:
    """Return edits of whole lines that turn `old` into `new`."""
    before, after = list(io.StringIO(old, newline="")), list(io.StringIO(new, newline=""))
    codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return tuple(
        Edit("".join(after[b1:b2]), Span(filename, a1 + 1, 0, a2 + 1, 0))
        for tag, a1, a2, b1, b2 in codes
        if tag != "equal"
    )


def find_line_end(text: str) -> str:
    """Return the line end that the file uses."""
    return "\r\n" if "\r\n" in text else "\n"


def _count_rows(content: str) -> int:
    return content.count("\n")


def _list_line_starts(text: str) -> list[int]:
    starts = [0]
    for line in io.StringIO(text, newline=""):
        starts.append(starts[-1] + len(line))
    return starts


def _find_offset(starts: list[int], row: int, column: int, length: int) -> int:
    return starts[row - 1] + column if row <= len(starts) else length
