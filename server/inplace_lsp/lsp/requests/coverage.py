"""inplace/coverage (a request of our own): how much of a document was analysed, for clients that show it."""

from __future__ import annotations

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.partial_analysis import cut_functions, unreached_locations
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
        "partly": [_describe_gap(gap, result.program) for gap in cut_functions(result)],
    }


def _describe_gap(gap: NotAnalysed, program: Program) -> dict[str, Plain]:
    """Describe what was analysed in part, why, and where it was never reached; lines are counted from 0."""
    places: list[Plain] = [
        {"uri": location.uri, "line": location.range.start.line} for location in unreached_locations(gap, program)
    ]
    return {"function": gap.function, "reason": gap.reason, "unreached": places}
