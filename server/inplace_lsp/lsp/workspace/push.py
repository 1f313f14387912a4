"""Diagnostics of files that are not open, pushed to clients that do not ask for them."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.workspace.scan import Scan


class Pusher:
    """Remembers what it has sent, so that it can take it back."""

    def __init__(self, session: Session, scan: Scan) -> None:
        self._session, self._scan = session, scan
        self._shown: dict[str, str] = {}

    @property
    def is_wanted(self) -> bool:
        """Return whether the user wants diagnostics of the whole workspace and the client does not pull them."""
        return self._session.settings.diagnostic_mode == "workspace" and not self._session.client_pulls_workspace

    def on_change(self, filename: str) -> None:
        """Publish new diagnostics of a file, unless it is open: then its own text counts."""
        known = self._scan.known.get(filename)
        if known is None or not self.is_wanted or self._session.is_open(filename):
            self._clear_file(filename)
        elif known.diagnostics or filename in self._shown:
            self._shown[filename] = known.uri
            self._send_diagnostics(known.uri, known.diagnostics)

    def withdraw_opened(self, filename: str, uris: Sequence[str]) -> None:
        """Once a file is open, publish diagnostics for the editor's text only (under `uris`)."""
        shown = self._shown.pop(filename, None)
        if shown is not None and (self._session.client.pull_diagnostics or shown not in uris):
            self._send_diagnostics(shown, ())

    def _clear_file(self, filename: str) -> None:
        shown = self._shown.pop(filename, None)
        if shown is not None:
            self._send_diagnostics(shown, ())

    def _send_diagnostics(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        self._session.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
