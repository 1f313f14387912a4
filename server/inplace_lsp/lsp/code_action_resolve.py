"""codeAction/resolve: the edit of an action that was offered without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.lsp.diagnostics import identity
from inplace_lsp.lsp.edits import workspace_edit
from inplace_lsp.lsp.elsewhere import program_at
from inplace_lsp.lsp.repairs import all_safe_edits, fixes_of
from inplace_lsp.lsp.session import Result, Session


async def handle(session: Session, action: types.CodeAction) -> types.CodeAction:
    """Find the repair again; an action that belongs to a text that is gone is refused, not guessed at."""
    data = action.data
    if not isinstance(data, Mapping) or "fix" not in data:
        return action
    result = await session.current(str(data.get("uri", "")))
    edits = await _edits(session, result, data) if result is not None else None
    if result is None or edits is None:
        raise JsonRpcContentModified("the text has changed since the repair was offered")
    imported = program_at(session, result, next((edit.span.file for edit in edits), result.program.filename))
    action.edit = workspace_edit(result.program, edits, session.client, imported)
    return action


async def _edits(session: Session, result: Result, data: Mapping[str, Any]) -> Sequence[Edit] | None:
    number = data["fix"]
    if number == "all":
        return await all_safe_edits(session, result)
    wanted = {key: data.get(key) for key in ("code", "row", "column")}
    found = (one for one in result.analysis.findings if one.span.file == data.get("file", one.span.file))
    finding = next((one for one in found if identity(one) == wanted), None)
    fixes = await fixes_of(session, result, finding) if finding is not None else ()
    return fixes[number].edits if isinstance(number, int) and 0 <= number < len(fixes) else None
