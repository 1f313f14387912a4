"""textDocument/publishDiagnostics, sent to clients that do not pull diagnostics: of open texts, and of other files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.client.settings import Settings
from inplace_lsp.lsp.documents.diagnostics import make_diagnostics
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.workspace.file_results import FileResult


class Audience(Protocol):
    """The part of a session that a publisher needs: the client and the user's settings."""

    server: LanguageServer
    client: Client
    settings: Settings
    client_pulls_workspace: bool

    def is_open(self, filename: str) -> bool:
        """Return whether the editor has the file open; then its text counts, not the disk's."""


class Publisher:
    """Publishes diagnostics; remembers those of files that are not open, to withdraw them later."""

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self._shown: dict[str, str] = {}

    def publish_result(self, result: Result) -> None:
        """Publish the diagnostics of an open program, with the version of the analysed text."""
        audience = self._audience
        if audience.client.pull_diagnostics:
            return
        marked = audience.settings.find_for_file(result.program.filename).partly_analysed
        found = make_diagnostics(result, audience.client, partly_analysed=marked)
        for part in result.program.parts:
            self._send_diagnostics(part.uri, found[part.uri], part.version)

    def clear_documents(self, uris: Iterable[str]) -> None:
        """Remove the published diagnostics of closed documents."""
        if not self._audience.client.pull_diagnostics:
            for uri in uris:
                self._send_diagnostics(uri, ())

    def publish_file(self, filename: str, known: FileResult | None) -> None:
        """Publish new diagnostics of a file that is not open; None means that the file is gone."""
        if known is None or not self._shows_workspace() or self._audience.is_open(filename):
            self._clear_file(filename)
        elif known.diagnostics or filename in self._shown:
            self._shown[filename] = known.uri
            self._send_diagnostics(known.uri, known.diagnostics)

    def withdraw_opened_files(self, filename: str, uris: Sequence[str]) -> None:
        """Once a file is open, publish diagnostics for the editor's text only (under `uris`)."""
        shown = self._shown.pop(filename, None)
        if shown is not None and (self._audience.client.pull_diagnostics or shown not in uris):
            self._send_diagnostics(shown, ())

    def _shows_workspace(self) -> bool:
        """Return whether the user wants diagnostics of the whole workspace and the client does not pull them."""
        return self._audience.settings.diagnostic_mode == "workspace" and not self._audience.client_pulls_workspace

    def _clear_file(self, filename: str) -> None:
        shown = self._shown.pop(filename, None)
        if shown is not None:
            self._send_diagnostics(shown, ())

    def _send_diagnostics(self, uri: str, diagnostics: Sequence[types.Diagnostic], version: int | None = None) -> None:
        params = types.PublishDiagnosticsParams(uri, diagnostics, version)
        self._audience.server.text_document_publish_diagnostics(params)
