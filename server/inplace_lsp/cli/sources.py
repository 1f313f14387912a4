"""The programs that are checked, and the lines that findings point at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from inplace_lsp.cli.reports import FileReport
from inplace_lsp.files.read import UnreadableError, read_source_file, read_text
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.notebooks import LARGEST, SUFFIX, Notebook, NotebookError, read_notebook
from inplace_lsp.report.lines import split_lines


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text and its program, which differ only in a notebook."""

    text: str
    program: str
    notebook: Notebook | None = None

    def with_edits(self, edits: Sequence[Edit]) -> Source:
        """Return the file after edits of its program. Raises NotebookError."""
        if self.notebook is not None:
            return _make_source(self.notebook.apply_edits(edits))
        from inplace_lsp.hazards.edits import apply_edits  # noqa: PLC0415  (only what changes texts needs it)

        text = apply_edits(self.text, edits)
        return replace(self, text=text, program=text)


def read_source(filename: str, text: str | None = None) -> Source:
    """Return the source in a file, or in its `text` if given. Raises UnreadableError."""
    if not filename.endswith(SUFFIX):
        known = read_source_file(filename) if text is None else text
        return Source(known, known)
    try:
        return _make_source(read_notebook(read_text(filename, LARGEST) if text is None else text))
    except NotebookError as error:
        raise UnreadableError(str(error)) from None


def _make_source(notebook: Notebook) -> Source:
    return Source(notebook.text, notebook.program, notebook)


class Sources(dict[str, list[str]]):
    """The lines of files by name; those of the program in a notebook. A file that was not checked is read on demand."""

    def __init__(self, reports: Iterable[FileReport]) -> None:
        super().__init__((report.filename, split_lines(report.text)) for report in reports if report.text)

    def __missing__(self, filename: str) -> list[str]:
        try:
            self[filename] = split_lines(read_source(filename).program)
        except UnreadableError:
            self[filename] = []
        return self[filename]

    def join_lines(self, filename: str) -> str:
        """Return the text of a file with uniform line ends; "" if it cannot be read."""
        return "\n".join(self[filename])


def find_checked_notebooks(reports: Iterable[FileReport], given: Mapping[str, str]) -> dict[str, Notebook]:
    """Return the checked notebooks in their current state; `given` are texts without a file."""
    shown = (report for report in reports if report.text or report.gaps)
    return find_notebooks({file.filename: file.after or given.get(file.filename) for file in shown})


def find_notebooks(files: Mapping[str, str | None]) -> dict[str, Notebook]:
    """Return the notebooks with cells among `files`, by name; read from the given text, else from the file."""
    found = {}
    for name, text in files.items():
        if name.endswith(SUFFIX):
            try:
                notebook = read_source(name, text).notebook
            except UnreadableError:  # it is gone, or another file by now: places are then those of the program
                continue
            if notebook is not None and notebook.cells:
                found[name] = notebook
    return found
