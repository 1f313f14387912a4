"""The open texts: pygls' workspace, with the line ends of LSP and Python."""

from __future__ import annotations

import io
from collections.abc import Sequence

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol
from pygls.workspace import TextDocument, Workspace

from inplace_lsp.disk import LARGEST
from inplace_lsp.lsp.documents.convert import find_offset


def split_lines(text: str) -> tuple[str, ...]:
    """Return the lines of `text` with their ends: `\\n`, `\\r\\n` and `\\r` only.

    `str.splitlines` ends lines at form feeds, `\x1c`, `\u2028` and others too: every row after one would be wrong.
    """
    return tuple(io.StringIO(text, newline=""))


class Document(TextDocument):
    """An open text; its lines are split once a change."""

    _lines: tuple[str, ...] = ()
    _lines_of: str | None = None
    is_too_large = False
    """Whether its text was larger than the limit for analysis. Such a text is dropped, and its edits are ignored until
    the client sends a whole smaller text: each edit would block the answering thread for a second."""

    @property
    def lines(self) -> Sequence[str]:
        """Return the lines with their ends."""
        source = self.source
        if self._lines_of is not source:
            self._lines, self._lines_of = split_lines(source), source
        return self._lines

    def take_only_if_fit(self) -> None:
        """Drop a text that is too large."""
        if len(self._source or "") > LARGEST:
            self._source, self.is_too_large = "", True

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Apply an edit."""
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            self.is_too_large = False
        if not self.is_too_large:
            super().apply_change(change)
            self.take_only_if_fit()

    def _apply_incremental_change(self, change: types.TextDocumentContentChangePartial) -> None:
        lines = self.lines
        start = find_offset(lines, change.range.start, self.position_codec)
        end = max(start, find_offset(lines, change.range.end, self.position_codec))
        source = self.source
        self._source = source[:start] + change.text + source[end:]


class Documents(Workspace):
    """A workspace of such documents."""

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> TextDocument:
        document = Document(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=types.TextDocumentSyncKind.Incremental,
            position_codec=self._position_codec,
        )
        document.take_only_if_fit()
        return document


def use_own_documents(protocol: LanguageServerProtocol) -> None:
    """Replace the workspace pygls made at `initialize` by one whose documents count lines as LSP does."""
    old = protocol.workspace
    protocol._workspace = Documents(
        old.root_uri,
        workspace_folders=list(old.folders.values()),
        position_encoding=old.position_encoding,
    )
