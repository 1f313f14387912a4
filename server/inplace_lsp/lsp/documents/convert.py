"""Convert between the project's positions and the client's: the only place that knows both.

Inside, a position is a 1-based row and a 0-based column in code points. The client counts from 0, in the units of the
encoding it agreed on (utf-8, utf-16 or utf-32).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lsprotocol import types
from pygls.workspace import PositionCodec, ServerTextPosition

from inplace_lsp.report.cells import rename_lines
from inplace_lsp.tape.model import Span

LINE_ENDS = "\r\n"


def to_position(lines: Sequence[str], row: int, column: int, codec: PositionCodec) -> types.Position:
    """Return the client's position of code point `column` on 1-based `row`."""
    line = max(0, row - 1)
    if line >= len(lines):
        return types.Position(line, 0)
    return codec.position_to_client_units(lines, ServerTextPosition(line, column))


def from_position(lines: Sequence[str], position: types.Position, codec: PositionCodec) -> tuple[int, int]:
    """Return row and column of the client's position; past a line's end, the end of that line, as LSP says."""
    if position.line >= len(lines):
        return _find_end(lines)
    text = lines[position.line].rstrip(LINE_ENDS)
    # The codec moves a position past the end one unit too far to the left: clamp before it can.
    character = min(position.character, codec.client_num_units(text))
    found = codec.position_from_client_units([text], types.Position(0, character))
    return position.line + 1, found.character


def find_offset(lines: Sequence[str], position: types.Position, codec: PositionCodec) -> int:
    """Return the index in the whole text, in code points, of the client's position."""
    row, column = from_position(lines, position, codec)
    return sum(map(len, lines[: row - 1])) + column


def _find_end(lines: Sequence[str]) -> tuple[int, int]:
    if not lines:
        return 1, 0
    last = lines[-1]
    return (len(lines) + 1, 0) if last.endswith(("\n", "\r")) else (len(lines), len(last))


@dataclass(frozen=True, slots=True)
class Part:
    """Whole lines of a program that the client knows as the document `uri`. `cell`: its number among all cells of a
    notebook, from 1; 0 for a file."""

    uri: str
    version: int | None
    first_row: int
    lines: tuple[str, ...]
    cell: int = 0

    @property
    def last_row(self) -> int:
        """Return the last row of the program that belongs to the part (its final line end included)."""
        return self.first_row + max(1, len(self.lines)) - 1


@dataclass(frozen=True, slots=True)
class Program:
    """The text that is analysed as one: a document, or the code cells of a notebook in order."""

    key: str
    filename: str
    text: str
    parts: tuple[Part, ...]
    codec: PositionCodec

    def find_part(self, uri: str) -> Part | None:
        """Return the part that the client calls `uri`."""
        return next((part for part in self.parts if part.uri == uri), None)

    def line_text(self, row: int) -> str:
        """Return the text of a 1-based row, without its end."""
        part = self._find_part_at(row)
        index = row - part.first_row if part else 0
        return part.lines[index].rstrip(LINE_ENDS) if part and index < len(part.lines) else ""

    def location_of(self, span: Span) -> types.Location | None:
        """Return the client's location of `span`; None if it is in a file that is not open here."""
        part = self._find_part_at(span.row) if span.file == self.filename else None
        if part is None:
            return None
        shift = part.first_row - 1
        start = to_position(part.lines, span.row - shift, span.column, self.codec)
        end = to_position(part.lines, span.end_row - shift, span.end_column, self.codec)
        return types.Location(part.uri, types.Range(start, max(start, end, key=lambda at: (at.line, at.character))))

    def name_lines(self, message: str) -> str:
        """Return a message as the client knows its lines: those of a notebook by their cells."""
        return rename_lines(message, self._find_cell) if self.parts and self.parts[0].cell else message

    def _find_cell(self, row: int) -> tuple[int, int]:
        part = self._find_part_at(row) or self.parts[-1]
        return part.cell, row - part.first_row + 1

    def position_of(self, row: int, column: int) -> tuple[str, types.Position] | None:
        """Return the document that holds a place, and the client's position in it."""
        part = self._find_part_at(row)
        if part is None:
            return None
        return part.uri, to_position(part.lines, row - part.first_row + 1, column, self.codec)

    def place_of(self, uri: str, position: types.Position) -> tuple[int, int] | None:
        """Return the row and column in the program of a position in document `uri`."""
        part = self.find_part(uri)
        if part is None:
            return None
        row, column = from_position(part.lines, position, self.codec)
        return row + part.first_row - 1, column

    def _find_part_at(self, row: int) -> Part | None:
        inside = (part for part in self.parts if part.first_row <= row)
        return max(inside, key=lambda part: part.first_row, default=None)
