"""The results for the files of the workspace, as they are on the disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lsprotocol import types
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from inplace_lsp.analysis import Analysis
from inplace_lsp.facts.models import is_below
from inplace_lsp.facts.modules import module_name
from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.documents.convert import Part, Program
from inplace_lsp.lsp.documents.diagnostics import make_diagnostics
from inplace_lsp.lsp.documents.digest import make_result_id
from inplace_lsp.lsp.documents.documents import split_lines
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.workspace.jobs import Report, Stamp


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result for one file."""

    uri: str
    stamp: Stamp
    result_id: str
    """The id of this answer."""
    diagnostics: tuple[types.Diagnostic, ...]
    read: frozenset[str]
    """The files on which it depends."""
    asked: frozenset[str]
    """The parts of the names of modules on which it depends."""
    models: tuple[str, ...]
    """The folders of model files on which it depends."""

    def depends_on(self, changed: Changed) -> bool:
        """Return whether a change of these files may change the findings here."""
        if not (changed.files.isdisjoint(self.read) and changed.names.isdisjoint(self.asked)):
            return True
        return any(is_below(file, folder) for folder in self.models for file in changed.files)


class Changed:
    """Files that changed, and the names under which other files may import them."""

    def __init__(self, files: Iterable[str]) -> None:
        self.files = frozenset(files)
        self.names = frozenset(map(module_name, self.files))


def uri_of(filename: str) -> str:
    """Return the address of a file that no client has named yet."""
    return from_fs_path(filename) or filename


def make_file_result(report: Report, stamp: Stamp, client: Client, codec: PositionCodec) -> FileResult:
    """Return the report of a checking process in the client's terms."""
    uri = uri_of(report.filename)
    part = Part(uri, None, 1, split_lines(report.text))
    program = Program(uri, report.filename, report.text, (part,), codec)
    items = make_diagnostics(Result(program, Analysis(report.findings)), client)[uri]
    return FileResult(
        uri, stamp, make_result_id(report.digest, items), tuple(items), report.read, report.asked, report.models
    )
