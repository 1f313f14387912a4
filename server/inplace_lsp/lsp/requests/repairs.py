"""Compute repairs on demand, off the event loop, once for each finding of a text."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from inplace_lsp.hazards.finding import OFFER, Edit, Finding, Fix
from inplace_lsp.lsp.documents.analysis import make_checker, make_import_checker
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.requests.imported_files import is_elsewhere, open_program
from inplace_lsp.lsp.session.view import SessionView

log = logging.getLogger(__name__)
Key = TypeVar("Key")
Found = TypeVar("Found")


async def find_fixes(session: SessionView, result: Result, finding: Finding) -> tuple[Fix, ...]:
    """Return the repairs of `finding`; none if the text changed meanwhile."""
    if finding.code == OFFER:  # an offer is proven when it is found
        return (finding.fix,) if finding.fix is not None else ()
    search = partial(_prepare_search, session, result, finding)
    try:
        return await _run_once(session, result, result.fixes, (finding.code, finding.span), search) or ()
    except Exception:  # a bug of ours: this finding has no repairs, the others have theirs
        log.exception("no repairs for %s on line %s", finding.code, finding.span.row)
        return ()


def _prepare_search(session: SessionView, result: Result, finding: Finding) -> Callable[[], tuple[Fix, ...]]:
    """Return the search for repairs of `finding`, with the texts as they are now."""
    program, analysis, settings = result.program, result.analysis, session.settings
    opened = session.open_texts(program.key)
    imported = open_program(session, result, finding.span.file) if is_elsewhere(result, finding) else None

    def search() -> tuple[Fix, ...]:
        from inplace_lsp.fixes.offer import fixes_for, fixes_in_caller  # noqa: PLC0415  (loads the syntax trees)

        if finding.span.file == program.filename:
            return fixes_for(program.text, finding, analysis, make_checker(settings, opened, analysis))
        if imported is None:
            return ()
        here = fixes_in_caller(
            program.text, program.filename, finding, analysis, make_checker(settings, opened, analysis)
        )
        check = make_import_checker(program, imported.filename, settings, opened)
        return (*here, *fixes_for(imported.text, finding, analyse=check))

    return search


async def find_safe_edits(session: SessionView, result: Result) -> Sequence[Edit] | None:
    """Return the edits that make all safe repairs; None if the text changed meanwhile."""
    return await _run_once(session, result, result.safe_edits, "all", partial(_prepare_search_for_all, session, result))


def _prepare_search_for_all(session: SessionView, result: Result) -> Callable[[], Sequence[Edit]]:
    """Return the search for all safe repairs, with the texts as they are now."""
    text, file = result.program.text, result.program.filename
    check = make_checker(session.settings, session.open_texts(result.program.key), result.analysis)

    def search() -> Sequence[Edit]:
        from inplace_lsp.fixes.fix_all import fix_all  # noqa: PLC0415
        from inplace_lsp.hazards.edits import find_edits_between  # noqa: PLC0415

        return find_edits_between(text, fix_all(text, file, analyse=check).text, file)

    return search


async def _run_once(
    session: SessionView,
    result: Result,
    known: dict[Key, asyncio.Future[Found | ImportError]],
    key: Key,
    search: Callable[[], Callable[[], Found]],
) -> Found | None:
    """Return the result of the work that `search` prepares, done once for a text (`known`); None if the text changed,
    or without libcst."""
    if key not in known:
        work = search()
        known[key] = session.search_repairs(result.program.key, key, lambda: _catch_missing_library(work))
    running = known[key]
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


def _catch_missing_library(work: Callable[[], Found]) -> Found | ImportError:
    """Return the work's result, or the ImportError if libcst is missing: it is a compiled package, and an editor's copy
    of the server may have none for the user's Python."""
    try:
        return work()
    except ImportError as error:
        return error
