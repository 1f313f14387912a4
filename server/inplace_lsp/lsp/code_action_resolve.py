"""codeAction/resolve: the edit of an action that was offered without."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from inplace_lsp.lsp.diagnostics import identity
from inplace_lsp.lsp.edits import workspace_edit
from inplace_lsp.lsp.repairs import fixes_of
from inplace_lsp.lsp.session import Session

METHOD = types.CODE_ACTION_RESOLVE


async def handle(session: Session, action: types.CodeAction) -> types.CodeAction:
    """Find the repair again; an action that belongs to a text that is gone is refused, not guessed at."""
    data = action.data
    if not isinstance(data, dict) or "fix" not in data:
        return action
    result = await session.current(str(data.get("uri", "")))
    wanted = {key: data.get(key) for key in ("code", "row", "column")}
    finding = next((one for one in result.analysis.findings if identity(one) == wanted), None) if result else None
    if result is None or finding is None:
        raise JsonRpcContentModified("the text has changed since the repair was offered")
    fixes = await fixes_of(session, result, finding)
    if not isinstance(data["fix"], int) or not 0 <= data["fix"] < len(fixes):
        raise JsonRpcContentModified("the text has changed since the repair was offered")
    action.edit = workspace_edit(result.program, fixes[data["fix"]].edits, session.client)
    return action
