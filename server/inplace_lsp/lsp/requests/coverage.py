"""inplace/coverage (a request of our own): how much of a document was analysed, for clients that show it."""

from __future__ import annotations

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.partial_analysis import find_cut_functions, find_unreached_locations
from inplace_lsp.lsp.session.view import SessionView
from inplace_lsp.tape.plain import Plain


async def handle(session: SessionView, params: object) -> dict[str, Plain] | None:
    """Return `{"functions", "findings", "partly"}` of the document's newest text; null if it is not open."""
    result = await session.current_result(str(getattr(getattr(params, "textDocument", None), "uri", "")))
    if result is None:
        return None
    return {
        "functions": result.analysis.functions,
        "findings": len(result.analysis.findings),
        "partly": [_describe_gap(gap, result.program) for gap in find_cut_functions(result)],
    }


def _describe_gap(gap: NotAnalysed, program: Program) -> dict[str, Plain]:
    """Describe a gap: what was analysed in part, why, and the lines (from 0) that were never reached."""
    places: list[Plain] = [
        {"uri": location.uri, "line": location.range.start.line} for location in find_unreached_locations(gap, program)
    ]
    return {"function": gap.function, "reason": gap.reason, "unreached": places}
