"""textDocument/publishDiagnostics, sent to clients that do not pull diagnostics."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from inplace_lsp.lsp.diagnostics import diagnostics_by_document
from inplace_lsp.lsp.result import Result
from inplace_lsp.lsp.session import Session


def publish_result(session: Session, result: Result) -> None:
    """Publish the diagnostics, with the version of the analysed text."""
    if session.client.pull_diagnostics:
        return
    marked = session.settings.for_file(result.program.filename).partly_analysed
    found = diagnostics_by_document(result, session.client, partly_analysed=marked)
    for part in result.program.parts:
        _send_diagnostics(session, part.uri, part.version, found[part.uri])


def clear_documents(session: Session, uris: Iterable[str]) -> None:
    """Remove the published diagnostics of closed documents."""
    if session.client.pull_diagnostics:
        return
    for uri in uris:
        _send_diagnostics(session, uri, None, [])


def _send_diagnostics(session: Session, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
    session.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))
