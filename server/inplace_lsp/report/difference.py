"""What a repair changes, as a unified diff."""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Fix, Sources
from inplace_lsp.report.cells import lines_of_cells, move_span_to_cell
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.report.paths import portable_path

_UNENDED = b"\n\\ No newline at end of file\n"


def describe_difference(fix: Fix, sources: Sources, notebooks: Notebooks, folder: str) -> str:
    """Return the diff of all files that the repair changes, named relative to `folder`; a cell of a notebook is a file
    of its own."""
    edits = [replace(edit, span=move_span_to_cell(edit.span, notebooks)) for edit in fix.edits]
    cells = lines_of_cells(notebooks)
    files = dict.fromkeys(edit.span.file for edit in edits)
    lines: list[bytes] = []
    for file in files:
        here = [edit for edit in edits if edit.span.file == file]
        before = "\n".join(cells[file] if file in cells else sources[file])
        name = portable_path(file, folder)
        after = apply_edits(before, here)
        lines += diff_lines(
            _encode_text(before), _encode_text(after), _encode_text(f"a/{name}"), _encode_text(f"b/{name}")
        )
    return b"".join(lines).decode(errors="surrogatepass")


def diff_lines(before: bytes, after: bytes, old_name: bytes, new_name: bytes) -> Iterator[bytes]:
    """Yield the lines of the unified diff of two contents of a file, as `patch` and `git apply` read it."""
    for line in difflib.diff_bytes(difflib.unified_diff, _split_lines(before), _split_lines(after), old_name, new_name):
        yield line if line.endswith(b"\n") else line + _UNENDED


def _split_lines(data: bytes) -> list[bytes]:
    """Return the lines with their ends, as `patch` and `git apply` count them: only `\\n` ends a line."""
    return list(io.BytesIO(data))


def _encode_text(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
