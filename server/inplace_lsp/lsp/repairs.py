"""Repairs are computed when somebody asks for them, off the event loop, once for a finding of a text."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from inplace_lsp.hazards.finding import Edit, Finding, Fix
from inplace_lsp.lsp.analysis import checker, checker_of_import
from inplace_lsp.lsp.elsewhere import is_elsewhere, program_at
from inplace_lsp.lsp.session import Result, Session, fixes_key


async def fixes_of(session: Session, result: Result, finding: Finding) -> tuple[Fix, ...]:
    """The repairs of `finding`; none if the text changed while they were looked for."""
    search = partial(_search, session, result, finding)
    return await _once(session, result, (finding.code, finding.span), search) or ()


def _search(session: Session, result: Result, finding: Finding) -> Callable[[], tuple[Fix, ...]]:
    """The search for repairs of `finding`, with the texts as they are now."""
    program, analysis, settings = result.program, result.analysis, session.settings
    opened = session.opened(program.key)
    imported = program_at(session, result, finding.span.file) if is_elsewhere(result, finding) else None

    def work() -> tuple[Fix, ...]:
        from inplace_lsp.fixes.offer import fixes_for, fixes_in_caller  # noqa: PLC0415  (loads the syntax trees)

        if finding.span.file == program.filename:
            return fixes_for(program.text, finding, analysis, checker(settings, opened))
        if imported is None:
            return ()
        here = fixes_in_caller(program.text, program.filename, finding, analysis, checker(settings, opened))
        check = checker_of_import(program, imported.filename, settings, opened)
        return (*here, *fixes_for(imported.text, finding, analyse=check))

    return work


async def all_safe_edits(session: Session, result: Result) -> Sequence[Edit] | None:
    """The edits that make all safe repairs; None if the text changed while they were looked for."""
    edits: Sequence[Edit] | None = await _once(session, result, "all", partial(_search_for_all, session, result))
    return edits


def _search_for_all(session: Session, result: Result) -> Callable[[], Sequence[Edit]]:
    """The search for all safe repairs, with the texts as they are now."""
    text, file = result.program.text, result.program.filename
    check = checker(session.settings, session.opened(result.program.key))

    def work() -> Sequence[Edit]:
        from inplace_lsp.fixes.fix_all import fix_all  # noqa: PLC0415
        from inplace_lsp.fixes.program.edits import edits_between  # noqa: PLC0415

        return edits_between(text, fix_all(text, file, analyse=check).text, file)

    return work


async def _once(session: Session, result: Result, key: object, search: Callable[[], Callable[[], Any]]) -> Any:
    """What the work that `search` gives returns, asked for and done once for a text; None if the text changed, or if
    there is no libcst to repair with."""
    if key not in result.fixes:
        work = search()
        result.fixes[key] = session.background.submit(
            f"{fixes_key(result.program.key)}{key}", lambda: _or_what_is_missing(work)
        )
    running = result.fixes[key]
    try:
        found = await asyncio.shield(running)
    except asyncio.CancelledError:
        if not running.cancelled():
            raise  # the request was cancelled, not the search
        return None
    if isinstance(found, ImportError):
        session.warn_once(f"There are no repairs without libcst ({found}): {sys.executable} -m pip install libcst")
        return None
    return found


def _or_what_is_missing(work: Callable[[], Any]) -> Any:
    """libcst is native: an editor's copy of the server may hold none that fits the user's Python."""
    try:
        return work()
    except ImportError as error:
        return error
