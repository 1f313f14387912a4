"""textDocument/codeAction: repairs and suppressions for the findings under the cursor, and all safe repairs at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import PurePath

from lsprotocol import types

from inplace_lsp.fixes import suppression
from inplace_lsp.fixes.program.codes import REPAIRABLE
from inplace_lsp.hazards.finding import NO_HAZARDS, UNUSED_SUPPRESSION, Edit, Finding, Fix
from inplace_lsp.lsp.client.static_capabilities import COMMAND, FIX_ALL, VERIFY
from inplace_lsp.lsp.documents import directive
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.diagnostics import find_call, identify_finding, make_diagnostic
from inplace_lsp.lsp.documents.edits import make_workspace_edit
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.requests.imported_files import is_elsewhere, open_program
from inplace_lsp.lsp.requests.repairs import find_fixes, find_safe_edits
from inplace_lsp.lsp.session.view import SessionView
from inplace_lsp.tape.model import Span

RUN = "Verify by running"
WAIT_SECONDS = 5.0


async def handle(session: SessionView, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """Return the repairs, each analysed beforehand; `codeAction/resolve` gives its edit where the client can ask."""
    if not session.client.code_action_literals:
        return None
    uri, only = params.text_document.uri, params.context.only
    result = await session.current_result(uri, WAIT_SECONDS)
    if result is None:
        return None
    actions: list[types.CodeAction] = []
    if _is_wanted(only, types.CodeActionKind.QuickFix.value):
        actions += [fix async for fix in _make_quick_fixes(session, result, uri, params.range)]
    if _is_wanted(only, FIX_ALL) and any(finding.code in REPAIRABLE for finding in result.analysis.findings):
        actions += await _make_fix_all_action(session, result, uri, asked_for=bool(only))
    if _is_wanted(only, VERIFY):
        actions += _make_verify_function_actions(result, uri, params.range)
    return actions or None


async def _make_fix_all_action(
    session: SessionView, result: Result, uri: str, *, asked_for: bool
) -> list[types.CodeAction]:
    """Return all safe repairs as one action. A client that cannot request the edit later gets it only if it asks for
    this kind of action: the edit is too expensive for every move of the cursor."""
    action = types.CodeAction("Make all safe repairs", FIX_ALL)
    if session.client.lazy_edits:
        action.data = {"uri": uri, "fix": "all"}
        return [action]
    edits = await find_safe_edits(session, result) if asked_for else None
    if not edits:
        return []
    action.edit = make_workspace_edit(result.program, edits, session.client)
    return [action]


def find_findings_at(result: Result, uri: str, at: types.Range) -> list[Finding]:
    """Return the findings whose lines the client's range touches."""
    start, end = result.program.place_of(uri, at.start), result.program.place_of(uri, at.end)
    if start is None or end is None:
        return []
    own = (finding for finding in result.analysis.findings if finding.span.file == result.program.filename)
    return [finding for finding in own if finding.span.row <= end[0] and start[0] <= finding.span.end_row]


def _find_findings_called_at(result: Result, uri: str, at: types.Range) -> list[Finding]:
    """Return the findings in other files that are shown at calls in the client's range."""
    shown = []
    for finding in result.analysis.findings:
        place = find_call(finding, result.program) if is_elsewhere(result, finding) else None
        if place is not None and place.uri == uri and _ranges_touch(place.range, at):
            shown.append(finding)
    return shown


def _ranges_touch(first: types.Range, other: types.Range) -> bool:
    return first.start.line <= other.end.line and other.start.line <= first.end.line


def _is_wanted(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Return whether the client wants the kind. Kinds are hierarchical: `source` includes `source.fixAll.inplace`."""
    wanted = [getattr(kind_or_text, "value", kind_or_text) for kind_or_text in only or [""]]
    return any(prefix in ("", kind) or kind.startswith(f"{prefix}.") for prefix in wanted)


async def _make_quick_fixes(
    session: SessionView, result: Result, uri: str, at: types.Range
) -> AsyncIterator[types.CodeAction]:
    found = find_findings_at(result, uri, at)
    for finding in (*found, *_find_findings_called_at(result, uri, at)):
        fixes = await find_fixes(session, result, finding)
        imported = _find_imported_program(session, result, finding) if fixes else None
        for number, fix in enumerate(fixes):
            yield _make_repair_action(session, result, finding, fix, number, imported)
    hazards = [finding for finding in found if finding.code not in NO_HAZARDS]
    if hazards:
        yield _make_verify_finding_action(session, result, uri, at, hazards)
    for edit in _find_directive_edits(result, uri, at):
        yield types.CodeAction(
            directive.TITLE,
            types.CodeActionKind.QuickFix,
            edit=make_workspace_edit(result.program, (edit,), session.client),
        )
    for finding in found:
        for title, edit in _make_suppression_edits(result, finding):
            yield types.CodeAction(
                title,
                types.CodeActionKind.QuickFix,
                [make_diagnostic(result.verified.adjust_finding(finding), result.program, session.client)],
                edit=make_workspace_edit(result.program, (edit,), session.client),
            )


def _make_verify_finding_action(
    session: SessionView, result: Result, uri: str, at: types.Range, found: list[Finding]
) -> types.CodeAction:
    """Return the action that proves the findings under the cursor."""
    diagnostics = [
        make_diagnostic(result.verified.adjust_finding(finding), result.program, session.client) for finding in found
    ]
    return types.CodeAction(RUN, types.CodeActionKind.QuickFix, diagnostics, command=_make_verify_command(uri, at))


def _make_verify_function_actions(result: Result, uri: str, at: types.Range) -> Iterator[types.CodeAction]:
    """Yield the action that runs the code under the cursor, if it has no findings. The run decides whether that is a
    function, a method or the program: parsing the whole text is too expensive for every move of the cursor."""
    if "torch" in result.program.text and not find_findings_at(result, uri, at):
        yield types.CodeAction(RUN, VERIFY, command=_make_verify_command(uri, at))


def _make_verify_command(uri: str, at: types.Range) -> types.Command:
    return types.Command(RUN, COMMAND, arguments=[uri, at.start.line + 1])


def _find_directive_edits(result: Result, uri: str, at: types.Range) -> Iterator[Edit]:
    """Yield the edits that insert the comments suggested by runs of the function under the cursor."""
    place = result.program.place_of(uri, at.start)
    here = Span(result.program.filename, place[0], 0, place[0], 0) if place is not None else None
    held = result.verified.find_proof(here) if here is not None else None
    edit = directive.make_directive_edit(result.program, held) if held is not None else None
    if edit is not None:
        yield edit


def _find_imported_program(session: SessionView, result: Result, finding: Finding) -> Program | None:
    """Return the other file that a repair of the finding may edit, where the client wants the edit at once."""
    if session.client.lazy_edits or not is_elsewhere(result, finding):
        return None
    return open_program(session, result, finding.span.file)


def _make_repair_action(
    session: SessionView, result: Result, finding: Finding, fix: Fix, number: int, imported: Program | None
) -> types.CodeAction:
    client = session.client
    place = result.program.location_of(finding.span) or find_call(finding, result.program)
    file = next((edit.span.file for edit in fix.edits), finding.span.file)
    preferred = client.preferred_actions and number == 0 and fix.applicability == "safe"
    return types.CodeAction(
        title=_make_repair_title(fix, "" if file == result.program.filename else PurePath(file).name),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[make_diagnostic(result.verified.adjust_finding(finding), result.program, client)],
        is_preferred=True if preferred else None,
        edit=None if client.lazy_edits else make_workspace_edit(result.program, fix.edits, client, imported),
        data=_make_action_data(finding, place, number) if client.lazy_edits else None,
    )


def _make_action_data(finding: Finding, place: types.Location | None, number: int) -> dict[str, str | int]:
    """Return the data that identifies the repair when its edit is requested."""
    return {**identify_finding(finding), "file": finding.span.file, "uri": place.uri if place else "", "fix": number}


def _make_repair_title(fix: Fix, file: str) -> str:
    """Describe the repair, with its file if that is another one."""
    what = fix.title or fix.message
    title = f"{file}: {what}" if file else what
    return title if fix.applicability == "safe" else f"{title} [unsafe]"


def _make_suppression_edits(result: Result, finding: Finding) -> Iterator[tuple[str, Edit]]:
    text = result.program.text
    if finding.code == UNUSED_SUPPRESSION:
        if finding.fix is not None:
            yield from ((finding.fix.message, edit) for edit in finding.fix.edits)
        return
    yield f"Ignore {finding.code} on this line", suppression.hide_on_line(text, finding)
    if len(result.program.parts) == 1:
        yield f"Ignore {finding.code} in this file", suppression.hide_in_file(text, finding)
