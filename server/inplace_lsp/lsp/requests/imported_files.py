"""Files that an open program imports: a finding, and its repair, may be in one of them."""

from __future__ import annotations

from pygls.uris import from_fs_path

from inplace_lsp.files.read import UnreadableError, read_source_file
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.documents.convert import Part, Program
from inplace_lsp.lsp.documents.documents import split_lines
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.session.view import SessionView


def open_program(session: SessionView, result: Result, filename: str) -> Program | None:
    """Return the file with the editor's text, else with that of the disk; None if it cannot be read."""
    if filename == result.program.filename:
        return result.program
    opened = session.find_open_program(filename)
    uri = from_fs_path(filename)
    if opened is not None or uri is None:
        return opened
    try:
        text = read_source_file(filename)
    except UnreadableError:
        return None
    part = Part(uri, None, 1, tuple(split_lines(text)))
    return Program(uri, filename, text, (part,), result.program.codec)


def is_elsewhere(result: Result, finding: Finding) -> bool:
    """Return whether the write is in another file than the analysed program."""
    return finding.span.file != result.program.filename
