"""textDocument/codeLens: over every function with findings, the offer to prove them by running it."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.engine import function_at
from inplace_lsp.lsp.client.static_capabilities import COMMAND
from inplace_lsp.lsp.documents.programs import find_filename
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.session.view import SessionView

WAIT_SECONDS = 5.0
VERDICTS = {"not-reproduced": "not reproduced", "silent": "wrong gradient, no error"}
"""Titles of verdicts that differ from their names."""


async def handle(session: SessionView, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Return a lens for each function with findings, on its header, and one for all statements outside functions, at
    the first with a finding.

    The command's row is one of the document's own, counted from 1.
    """
    uri = params.text_document.uri
    shown = session.settings.find_for_file(find_filename(uri)).code_lens
    result = await session.current_result(uri, WAIT_SECONDS) if shown else None
    part = result.program.find_part(uri) if result is not None else None
    if result is None or part is None:
        return None
    lenses = []
    for row, column, name in _find_targets(result):
        at = result.program.position_of(row, column)
        if at is not None and at[0] == uri:
            title = _make_lens_title(name, result.verified.find_verdict(name))
            command = types.Command(title, COMMAND, arguments=[uri, row - part.first_row + 1])
            lenses.append(types.CodeLens(types.Range(at[1], at[1]), command))
    return lenses


def _make_lens_title(name: str, verdict: str | None) -> str:
    """Return the title of a function's lens, with the verdict of its last run."""
    what = f"`{name}`" if name else "the program"
    last = "" if verdict is None else f" (last run: {VERDICTS.get(verdict, verdict)})"
    return f"Verify {what} with torch{last}"


def _find_targets(result: Result) -> list[tuple[int, int, str]]:
    """Return row, column and name of what can be run to prove the findings; the whole program's name is empty."""
    own = [
        finding.span
        for finding in result.analysis.findings
        if finding.span.file == result.program.filename and finding.function
    ]
    found: dict[str, tuple[int, int, str]] = {}
    for span in sorted(own):
        around = function_at(result.program.text, span.row)
        if around is not None:
            found.setdefault(around.name, (around.row, around.column, around.name))
        else:
            found.setdefault("", (span.row, span.column, ""))
    return sorted(found.values())
