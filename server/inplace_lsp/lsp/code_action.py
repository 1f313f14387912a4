"""textDocument/codeAction: the repairs of the findings under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from inplace_lsp.hazards.finding import Finding, Fix
from inplace_lsp.lsp.diagnostics import diagnostic_of, identity
from inplace_lsp.lsp.edits import workspace_edit
from inplace_lsp.lsp.repairs import fixes_of
from inplace_lsp.lsp.session import Result, Session

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
OPTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix], resolve_provider=True)
WAIT_SECONDS = 5.0


async def handle(session: Session, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """Each repair was analysed before it is offered; `codeAction/resolve` gives its edit where the client can ask."""
    if not _is_wanted(params.context.only, types.CodeActionKind.QuickFix) or not session.client.code_action_literals:
        return None
    result = await session.current(params.text_document.uri, WAIT_SECONDS)
    if result is None:
        return None
    actions = []
    for finding in findings_at(result, params.text_document.uri, params.range):
        for number, fix in enumerate(await fixes_of(session, result, finding)):
            actions.append(_action(session, result, finding, fix, number))
    return actions or None


def findings_at(result: Result, uri: str, at: types.Range) -> list[Finding]:
    """The findings whose lines the client's range touches."""
    start, end = result.program.place(uri, at.start), result.program.place(uri, at.end)
    if start is None or end is None:
        return []
    return [one for one in result.analysis.findings if one.span.row <= end[0] and start[0] <= one.span.end_row]


def _is_wanted(only: Sequence[types.CodeActionKind | str] | None, kind: types.CodeActionKind) -> bool:
    """Kinds are hierarchical: a client that asks for `quickfix` wants `quickfix.inplace` too."""
    return only is None or any(kind.value == one or kind.value.startswith(f"{one}.") or one == "" for one in only)


def _action(session: Session, result: Result, finding: Finding, fix: Fix, number: int) -> types.CodeAction:
    client = session.client
    lazy = client.resolves_edits and client.code_action_data
    part = result.program.location(finding.span)
    return types.CodeAction(
        title=fix.message if fix.applicability == "safe" else f"{fix.message} [unsafe]",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic_of(finding, result.program, client)],
        is_preferred=(number == 0 and fix.applicability == "safe") or None if client.preferred_actions else None,
        edit=None if lazy else workspace_edit(result.program, fix.edits, client),
        data={**identity(finding), "uri": part.uri if part else "", "fix": number} if lazy else None,
    )
