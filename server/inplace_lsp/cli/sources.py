"""The source lines that findings point at."""

from __future__ import annotations

from collections.abc import Iterable

from inplace_lsp.cli.reports import FileReport
from inplace_lsp.files.read import UnreadableError, read
from inplace_lsp.report.lines import split_lines


class Sources(dict[str, list[str]]):
    """The lines of files by name; a file that was not checked itself is read when it is first asked for."""

    def __init__(self, reports: Iterable[FileReport]) -> None:
        super().__init__((report.filename, split_lines(report.text)) for report in reports if report.text)

    def __missing__(self, filename: str) -> list[str]:
        try:
            self[filename] = split_lines(read(filename))
        except UnreadableError:
            self[filename] = []
        return self[filename]

    def text(self, filename: str) -> str:
        """The text of a file, its line ends made alike; empty if it cannot be read."""
        return "\n".join(self[filename])
