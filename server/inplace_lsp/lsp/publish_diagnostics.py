"""textDocument/publishDiagnostics, sent to clients that do not ask for diagnostics themselves."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from inplace_lsp.lsp.diagnostics import diagnostics_by_document
from inplace_lsp.lsp.session import Result, Session


def publish(session: Session, result: Result) -> None:
    """Send what was found, with the version of the text in which it was found."""
    if session.client.pull_diagnostics:
        return
    found = diagnostics_by_document(result, session.client, partly_analysed=session.settings.partly_analysed)
    for part in result.program.parts:
        _send(session, part.uri, part.version, found[part.uri])


def clear(session: Session, uris: Iterable[str]) -> None:
    """Take back what was published about documents that are closed."""
    if session.client.pull_diagnostics:
        return
    for uri in uris:
        _send(session, uri, None, [])


def _send(session: Session, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
    session.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))
