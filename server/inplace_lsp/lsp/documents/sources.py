"""The source lines that a trace shows beside its events."""

from __future__ import annotations

from collections.abc import Mapping

from inplace_lsp.files.read import UnreadableError, read_source_file
from inplace_lsp.lsp.documents.convert import LINE_ENDS
from inplace_lsp.lsp.documents.documents import split_lines


class Sources(dict[str, list[str]]):
    """The lines of files by name: of open files from the editor, of others from the disk."""

    def __init__(self, opened: Mapping[str, str]) -> None:
        super().__init__()
        self._opened = opened

    def __missing__(self, filename: str) -> list[str]:
        self[filename] = [line.rstrip(LINE_ENDS) for line in split_lines(self._read_text(filename))]
        return self[filename]

    def _read_text(self, filename: str) -> str:
        if filename in self._opened:
            return self._opened[filename]
        try:
            return read_source_file(filename)
        except UnreadableError:
            return ""
