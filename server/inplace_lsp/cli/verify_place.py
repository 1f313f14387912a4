"""Read the argument of `verify`: FILE, FILE:LINE or FILE::QUALNAME; the cells of a notebook are one program."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from inplace_lsp.cli.options import is_line_number
from inplace_lsp.cli.sources import read_source
from inplace_lsp.notebooks import Notebook, NotebookError
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.prove import Subject
from inplace_lsp.verify.target import Target, TargetError, module, target_at_line, target_by_name

_OF_CELL = re.compile(r"(?P<file>.+):cell (?P<number>\d+)")


@dataclass(frozen=True, slots=True)
class Verified:
    """The code to verify, and its notebook, if it comes from one."""

    subject: Subject
    notebook: Notebook | None = None


def read_place(place: str) -> Verified:
    """Return the code at `place`. Raises UnreadableError or TargetError."""
    file, separator, rest = split_place(place)
    cell = _OF_CELL.fullmatch(file) if separator == ":" and not os.path.exists(file) else None
    name = cell["file"] if cell is not None else file
    source = read_source(name)
    row = int(rest) if separator == ":" else 0
    if source.notebook is not None and row:
        row = _find_row(source.notebook, int(cell["number"]) if cell is not None else 0, row)
    target = _find_target(source.program, separator, rest, row)
    hints = Hints((row,)) if row else Hints()
    return Verified(Subject(source.program, os.path.abspath(name), target, hints), source.notebook)


def split_place(place: str) -> tuple[str, str, str]:
    """Return file, separator and rest; an existing file of that whole name wins."""
    if os.path.exists(place):
        return place, "", ""
    for separator in ("::", ":"):
        file, found, rest = place.rpartition(separator)
        if found and file and (separator == "::" or is_line_number(rest)):
            return file, separator, rest
    return place, "", ""


def _find_row(notebook: Notebook, cell: int, row: int) -> int:
    """Return the row in the program of a line of a cell, or of the file if no cell is named (0)."""
    try:
        return notebook.find_row(cell, row)
    except NotebookError as error:
        raise TargetError(str(error)) from None


def _find_target(text: str, separator: str, rest: str, row: int) -> Target:
    if separator == "::":
        return target_by_name(text, rest)
    return target_at_line(text, row) if separator else module(text)
