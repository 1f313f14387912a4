"""textDocument/codeLens: over every function with findings, the offer to prove them by running it."""

from __future__ import annotations

import re

from lsprotocol import types

from inplace_lsp.lsp.session import Result, Session

METHOD = types.TEXT_DOCUMENT_CODE_LENS
VERIFY = "inplace-lsp.verify"
WAIT_SECONDS = 5.0
_DEF = re.compile(r"^(\s*)(?:async\s+)?def\s+(\w+)")


async def handle(session: Session, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """One lens a function, on the line of its `def`."""
    uri = params.text_document.uri
    result = await session.current(uri, WAIT_SECONDS) if session.settings.code_lens else None
    if result is None:
        return None
    own = [one.span.row for one in result.analysis.findings if one.span.file == result.program.filename]
    rows = {row: name for at in own for row, name in _function_at(result, at)}
    lenses = []
    for row, name in sorted(rows.items()):
        at = result.program.position(row, 0)
        if at is not None and at[0] == uri:
            command = types.Command(f"Verify `{name}` with torch", VERIFY, arguments=[uri, row])
            lenses.append(types.CodeLens(types.Range(at[1], at[1]), command))
    return lenses


def _function_at(result: Result, row: int) -> list[tuple[int, str]]:
    """The row and name of the function around `row`: the nearest `def` above that is indented less."""
    indent = _indent(result.program.line(row))
    for above in range(row - 1, 0, -1):
        line = result.program.line(above)
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _DEF.match(line)
        if match and _indent(line) < indent:
            return [(above, match[2])]
    return []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
