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
    def wanted(self) -> bool:
        """Whether the user wants to see the whole workspace, and the client does not ask for it by itself."""
        return self._session.settings.diagnostic_mode == "workspace" and not self._session.client_pulls_workspace

    def on_change(self, filename: str) -> None:
        """What is known of a file is new: say so, unless it is open; then its own text counts."""
        known = self._scan.known.get(filename)
        if known is None or not self.wanted or self._session.is_open(filename):
            self._clear(filename)
        elif known.diagnostics or filename in self._shown:
            self._shown[filename] = known.uri
            self._send(known.uri, known.diagnostics)

    def opened(self, filename: str, uris: Sequence[str]) -> None:
        """From now on the answers about the open text stand, under `uris`; those of the disk go."""
        shown = self._shown.pop(filename, None)
        if shown is not None and (self._session.client.pull_diagnostics or shown not in uris):
            self._send(shown, ())

    def _clear(self, filename: str) -> None:
        shown = self._shown.pop(filename, None)
        if shown is not None:
            self._send(shown, ())

    def _send(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        self._session.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
