"""codeAction/resolve: the edit of an action that was offered without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.lsp.documents.diagnostics import identify_finding
from inplace_lsp.lsp.documents.edits import make_workspace_edit
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.requests.imported_files import open_program
from inplace_lsp.lsp.requests.repairs import find_fixes, find_safe_edits
from inplace_lsp.lsp.session.view import SessionView


async def handle(session: SessionView, action: types.CodeAction) -> types.CodeAction:
    """Find the repair again; refuse an action whose text has changed."""
    data = action.data
    if not isinstance(data, Mapping) or "fix" not in data:
        return action
    result = await session.current_result(str(data.get("uri", "")))
    edits = await _find_edits(session, result, data) if result is not None else None
    if result is None or edits is None:
        raise JsonRpcContentModified("the code has changed since the repair was offered")
    imported = open_program(session, result, next((edit.span.file for edit in edits), result.program.filename))
    action.edit = make_workspace_edit(result.program, edits, session.client, imported)
    return action


async def _find_edits(session: SessionView, result: Result, data: Mapping[str, object]) -> Sequence[Edit] | None:
    number = data["fix"]
    if number == "all":
        return await find_safe_edits(session, result)
    wanted = {key: data.get(key) for key in ("code", "row", "column")}
    found = (
        finding for finding in result.analysis.findings if finding.span.file == data.get("file", finding.span.file)
    )
    finding = next((finding for finding in found if identify_finding(finding) == wanted), None)
    fixes = await find_fixes(session, result, finding) if finding is not None else ()
    return fixes[number].edits if isinstance(number, int) and 0 <= number < len(fixes) else None
