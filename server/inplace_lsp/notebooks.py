"""The code cells of a Jupyter notebook as one program, and edits of the program written back to the cells.

Only the edited lines of a notebook's text change: output, metadata, order, white space and character escapes stay as
they are. So the text is never serialised again; edits are made at the positions of its cells.
"""

from __future__ import annotations

import io
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.magics import as_python, lines_as_python
from inplace_lsp.tape.model import Span

SUFFIX = ".ipynb"
LARGEST = 64_000_000
"""Bytes of a notebook beyond which it is not read: most of it is output."""
PYTHON = frozenset({"python", "ipython", "py"})
"""What notebooks and editors call the language, in lower case."""
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


class NotebookError(Exception):
    """The text is not a notebook with cells to check, or an edit does not fit; the message says why."""


def _split_lines(text: str) -> list[str]:
    """Return the lines with their ends, as Python counts them."""
    return list(io.StringIO(text, newline=""))


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell. `number` counts all cells from 1; `first_row` is its first row in the program; `source` is the span
    of its text in the notebook's; `file_rows` are the rows of its lines in the notebook's text."""

    number: int
    first_row: int
    lines: tuple[str, ...]
    source: tuple[int, int]
    file_rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's text and its code cells."""

    text: str
    cells: tuple[Cell, ...]

    @property
    def program(self) -> str:
        """All code cells, one below the other."""
        return "".join(as_python(cell.lines) for cell in self.cells)

    def cell_at(self, row: int) -> Cell:
        """Return the cell that contains a row of the program."""
        index = bisect_right([cell.first_row for cell in self.cells], row) - 1
        return self.cells[max(index, 0)]

    def in_cell(self, span: Span) -> tuple[int, Span]:
        """Return the number of the cell, and the place in it, of a place in the program."""
        cell = self.cell_at(span.row)
        before = cell.first_row - 1
        return cell.number, Span(span.file, span.row - before, span.column, span.end_row - before, span.end_column)

    def find_row(self, number: int, line: int) -> int:
        """Return the row in the program of a line of cell `number`, or of the file if that is 0. Raises
        NotebookError."""
        for cell in self.cells:
            rows = cell.file_rows if not number else range(1, len(cell.lines) + 1) if cell.number == number else ()
            if line in rows:
                return cell.first_row + rows.index(line)
        where = f"code cell {number}" if number else "the notebook's code cells"
        raise NotebookError(f"there is no line {line} in {where}")

    def in_file(self, span: Span) -> Span:
        """Return the span of whole rows in the notebook's text for a place in the program."""
        first, last = self._file_row(span.row), self._file_row(span.end_row)
        lines = self.text.split("\n")
        row = lines[last - 1]
        return Span(span.file, first, len(lines[first - 1]) - len(lines[first - 1].lstrip()), last, len(row.rstrip()))

    def _file_row(self, row: int) -> int:
        cell = self.cell_at(row)
        inside = min(max(row - cell.first_row, 0), len(cell.file_rows) - 1)
        return cell.file_rows[inside] if cell.file_rows else 1 + self.text.count("\n", 0, cell.source[0])

    def apply_edits(self, edits: Sequence[Edit]) -> Notebook:
        """Apply edits of the program to the cells. Raises NotebookError if they do not fit."""
        wanted, bounds = _apply_to_program(self.program, [cell.first_row for cell in self.cells], edits)
        pieces = [wanted[start:end] for start, end in pairwise([*bounds, len(wanted)])]
        text = self.text
        for cell, piece in reversed(list(zip(self.cells, pieces, strict=True))):
            if piece != as_python(cell.lines):
                start, end = cell.source
                text = text[:start] + _rewrite_cell(text, cell, _as_cell(piece, cell)) + text[end:]
        made = read_notebook(text)
        if made.program != wanted:
            raise NotebookError("a repair cannot be written into its cells")
        return made


def _apply_to_program(program: str, first_rows: Sequence[int], edits: Sequence[Edit]) -> tuple[str, list[int]]:
    """Return the edited program and the new starts of its cells."""
    starts = [0]
    for line in _split_lines(program):
        starts.append(starts[-1] + len(line))
    bounds = [starts[row - 1] for row in first_rows]
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        start = starts[edit.span.row - 1] + edit.span.column
        end = starts[edit.span.end_row - 1] + edit.span.end_column
        if any(start < bound < end for bound in bounds):
            raise NotebookError("a repair reaches from one cell into another")
        program = program[:start] + edit.content + program[end:]
        bounds = [bound if bound <= start else bound + len(edit.content) - (end - start) for bound in bounds]
    return program, bounds


def _as_cell(piece: str, cell: Cell) -> list[str]:
    """Return the lines of a cell for the program `piece`: magics are restored, and the last line ends as it did."""
    pairs = zip(lines_as_python(cell.lines), cell.lines, strict=True)
    magics = {made.strip(): line for made, line in pairs if made != line}
    lines = [_restore_magic(line, magics) for line in _split_lines(piece)]
    if lines and not (cell.lines and cell.lines[-1].endswith(("\n", "\r"))):
        lines[-1] = lines[-1].rstrip("\r\n")
    return [line for line in lines if line]


def _restore_magic(line: str, magics: dict[str, str]) -> str:
    made = line.strip()
    return line.replace(made, magics[made].strip()) if made in magics else line


def _rewrite_cell(text: str, cell: Cell, lines: Sequence[str]) -> str:
    """Return the JSON for the lines of a cell; an unchanged line keeps its text."""
    start, end = cell.source
    plain = not text.isascii()
    if text[start] == '"':
        return json.dumps("".join(lines), ensure_ascii=not plain)
    items = list(_find_elements(text, start))
    known = {json.loads(text[first:last]): text[first:last] for first, last in items}
    written = [known.get(line) or json.dumps(line, ensure_ascii=not plain) for line in lines]
    if not items:
        return f"[{', '.join(written)}]"
    between = text[items[0][1] : items[1][0]] if len(items) > 1 else f",{text[start + 1 : items[0][0]] or ' '}"
    return text[start : items[0][0]] + between.join(written) + text[items[-1][1] : end]


def read_notebook(text: str) -> Notebook:
    """Parse a notebook. Raises NotebookError."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"no notebook: it is not valid JSON ({error})") from None
    if isinstance(found, dict) and "worksheets" in found:
        raise NotebookError("a notebook of a version before 4; open and save it with Jupyter to bring it up to date")
    if not isinstance(found, dict) or not isinstance(found.get("cells"), list):
        raise NotebookError("no notebook: it has no list of cells")
    is_python = _find_language(found.get("metadata")) in PYTHON
    return Notebook(text, tuple(_read_cells(text, found["cells"])) if is_python else ())


def _read_cells(text: str, cells: Sequence[object]) -> Iterator[Cell]:
    row = 1
    at = _find_members(text, _skip_space(text, 0))["cells"][0]
    for number, ((start, _), cell) in enumerate(zip(_find_elements(text, at), cells, strict=True), start=1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code" or not _is_text(cell.get("source")):
            continue
        source = _find_members(text, start)["source"]
        lines = _split_lines("".join(cell["source"]))
        yield Cell(number, row, tuple(lines), source, tuple(_file_rows(text, source[0], lines)))
        row += max(1, len(lines))


def _find_language(metadata: object) -> str:
    """Return the language of the notebook; Python if it has none."""
    known = metadata if isinstance(metadata, dict) else {}
    for table, key in (("language_info", "name"), ("kernelspec", "language")):
        named = known.get(table)
        if isinstance(named, dict) and isinstance(named.get(key), str):
            return str(named[key]).lower()
    return "python"


def _is_text(source: object) -> bool:
    return isinstance(source, str) or (isinstance(source, list) and all(isinstance(line, str) for line in source))


def _file_rows(text: str, start: int, lines: Sequence[str]) -> Iterator[int]:
    """Yield the row of the notebook's text on which each line of a cell begins."""
    whole = text[start] == '"'
    items = [(start, "")] if whole else [(at, json.loads(text[at:end])) for at, end in _find_elements(text, start)]
    begins, done = [], 0
    for at, item in items:
        begins.append((done, at))
        done += len(item)
    row, counted, offset = text.count("\n", 0, start) + 1, start, 0
    for line in lines:
        at = begins[bisect_right([begin for begin, _ in begins], offset) - 1][1]
        row += text.count("\n", counted, at)
        counted, offset = at, offset + len(line)
        yield row


def _find_members(text: str, at: int) -> dict[str, tuple[int, int]]:
    """Return the spans of the values of the JSON object at `at`. The text is known to be valid."""
    found = {}
    at = _skip_space(text, at + 1)
    while text[at] == '"':
        key, at = _DECODER.raw_decode(text, at)
        start = _skip_space(text, _skip_space(text, at) + 1)
        end = _DECODER.raw_decode(text, start)[1]
        found[key] = (start, end)
        at = _next_item(text, end)
    return found


def _find_elements(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the items of the JSON array at `at`."""
    at = _skip_space(text, at + 1)
    while text[at] != "]":
        end = _DECODER.raw_decode(text, at)[1]
        yield at, end
        at = _next_item(text, end)


def _next_item(text: str, at: int) -> int:
    at = _skip_space(text, at)
    return _skip_space(text, at + 1) if text[at] == "," else at


def _skip_space(text: str, at: int) -> int:
    """Return the position after the white space at `at`."""
    found = _SPACE.match(text, at)
    return found.end() if found else at
