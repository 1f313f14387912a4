"""textDocument/codeLens: over every function with findings, the offer to prove them by running it."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.engine import function_at
from inplace_lsp.lsp.offered import COMMAND
from inplace_lsp.lsp.session import Result, Session

WAIT_SECONDS = 5.0


async def handle(session: Session, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """One lens a function, on its header; one for all statements outside of functions, over the first with a finding.

    The command's row is one of the document's own, counted from 1.
    """
    uri = params.text_document.uri
    result = await session.current(uri, WAIT_SECONDS) if session.settings.code_lens else None
    part = result.program.part(uri) if result is not None else None
    if result is None or part is None:
        return None
    lenses = []
    for row, column, what in _targets(result):
        at = result.program.position(row, column)
        if at is not None and at[0] == uri:
            command = types.Command(f"Verify {what} with torch", COMMAND, arguments=[uri, row - part.first_row + 1])
            lenses.append(types.CodeLens(types.Range(at[1], at[1]), command))
    return lenses


def _targets(result: Result) -> list[tuple[int, int, str]]:
    """Row, column and name of what can be run to prove the findings."""
    own = [one.span for one in result.analysis.findings if one.span.file == result.program.filename and one.function]
    found: dict[str, tuple[int, int, str]] = {}
    for span in sorted(own):
        around = function_at(result.program.text, span.row)
        if around is not None:
            found.setdefault(around.name, (around.row, around.column, f"`{around.name}`"))
        else:
            found.setdefault("", (span.row, span.column, "the program"))
    return sorted(found.values())
