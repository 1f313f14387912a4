"""What a repair changes, as a unified diff."""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace

from inplace_lsp.fixes.program.edits import apply_edits
from inplace_lsp.hazards.finding import Edit, Fix, Sources
from inplace_lsp.report.cells import lines_of_cells, span_in_cells
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.report.paths import portable_path

_UNENDED = "\n\\ No newline at end of file\n"


def describe_difference(fix: Fix, sources: Sources, notebooks: Notebooks, folder: str) -> str:
    """Return the diff of all files that the repair changes, named relative to `folder`; a cell of a notebook is a file
    of its own."""
    edits = [replace(edit, span=span_in_cells(edit.span, notebooks)) for edit in fix.edits]
    cells = lines_of_cells(notebooks)
    files = dict.fromkeys(edit.span.file for edit in edits)
    lines: list[str] = []
    for file in files:
        here = [edit for edit in edits if edit.span.file == file]
        before = "\n".join(cells[file] if file in cells else sources[file])
        lines += _file_difference(portable_path(file, folder), before, here)
    return "".join(line if line.endswith("\n") else line + _UNENDED for line in lines)


def _file_difference(name: str, before: str, edits: Sequence[Edit]) -> Iterator[str]:
    after = apply_edits(before, edits)
    return difflib.unified_diff(_split(before), _split(after), f"a/{name}", f"b/{name}")


def _split(text: str) -> list[str]:
    """Return the lines with their ends, as `patch` and `git apply` count them."""
    return list(io.StringIO(text, newline="\n"))
