"""textDocument/diagnostic: the client asks for the diagnostics of one document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from inplace_lsp.lsp.documents.diagnostics import make_diagnostics
from inplace_lsp.lsp.documents.digest import make_digest, make_result_id
from inplace_lsp.lsp.documents.result import Result

if TYPE_CHECKING:
    from inplace_lsp.lsp.session.view import SessionView

OPTIONS = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="inplace-lsp")
"""An edit of a helper can change what is found in the files that import it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The diagnostics of one document, and the id by which the client can say that it has them."""

    uri: str
    version: int | None
    result_id: str
    items: Sequence[types.Diagnostic]


def make_answer(session: SessionView, result: Result, uri: str) -> Answer:
    """Return an analysis' diagnostics of one of its documents."""
    if uri not in result.answers:
        marked = session.settings.find_for_file(result.program.filename).partly_analysed
        items = make_diagnostics(result, session.client, partly_analysed=marked)[uri]
        part = result.program.find_part(uri)
        identity = make_result_id(make_digest(result.program.text), items)
        result.answers[uri] = Answer(uri, part.version if part else None, identity, items)
    answer = result.answers[uri]
    assert isinstance(answer, Answer)
    return answer


async def handle(session: SessionView, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """Return the diagnostics of the newest text; `unchanged` if the client has them already."""
    uri = params.text_document.uri
    result = await session.shown_result(uri)
    if result is None or result.program.find_part(uri) is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    answer = make_answer(session, result, uri)
    if params.previous_result_id == answer.result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=answer.result_id)
    return types.RelatedFullDocumentDiagnosticReport(items=list(answer.items), result_id=answer.result_id)
