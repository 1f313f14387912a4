"""textDocument/diagnostic: the client asks for the diagnostics of one document."""

from __future__ import annotations

import hashlib

from lsprotocol import types

from inplace_lsp.lsp.diagnostics import diagnostics_by_document
from inplace_lsp.lsp.session import Result, Session

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC


async def handle(session: Session, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """Wait for the analysis of the newest text; `unchanged` if the client has its answer already."""
    result = await session.current(params.text_document.uri)
    if result is None or result.program.part(params.text_document.uri) is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    items = diagnostics_by_document(result, session.client)[params.text_document.uri]
    result_id = _result_id(result, items)
    if params.previous_result_id == result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=result_id)


def _result_id(result: Result, items: list[types.Diagnostic]) -> str:
    """Changes with the text too: an editor moves its marks with every edit, so only the same text may keep them."""
    seen = f"{result.program.text}\0{items!r}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(seen, digest_size=8).hexdigest()
