"""inplace/coverage (a request of our own): how much of a document was analysed, for clients that show it."""

from __future__ import annotations

from typing import Any

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.partly import cut, unreached
from inplace_lsp.lsp.session import Session


async def handle(session: Session, params: Any) -> dict[str, Any] | None:
    """`{"functions", "partly"}` of the newest text of the document's program; null if it is not open."""
    result = await session.current(str(getattr(getattr(params, "textDocument", None), "uri", "")))
    if result is None:
        return None
    return {"functions": result.analysis.functions, "partly": [_partly(gap, result.program) for gap in cut(result)]}


def _partly(gap: NotAnalysed, program: Program) -> dict[str, Any]:
    """What was analysed in part, why, and where it was never reached; lines are counted from 0."""
    places = [{"uri": one.uri, "line": one.range.start.line} for one in unreached(gap, program)]
    return {"function": gap.function, "reason": gap.reason, "unreached": places}
