"""Load code that the answer to `initialize` does not need later: in the background, or when it is first used."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from inplace_lsp.lsp.code_cache import compile_once, find_cache_path

if TYPE_CHECKING:
    from inplace_lsp.analysis import Analysis, Early
    from inplace_lsp.lsp.client.settings import Settings
    from inplace_lsp.lsp.documents.checked import Checked
    from inplace_lsp.lsp.documents.convert import Program
    from inplace_lsp.lsp.session.session import Session

PAUSE_SECONDS = 0.1
"""Seconds after `initialize` until the analysis is loaded, if no file is opened."""


def load_handler(name: str) -> Callable[[Session, object], Awaitable[object]]:
    """Return the `handle` of the module `name` of this room, which the first message for it loads."""

    loaded: ModuleType | None = None

    async def handle(session: Session, params: object) -> object:
        nonlocal loaded
        if loaded is None:
            loaded = await asyncio.to_thread(import_module, f"{__package__}.{name}")
        answer = loaded.handle(session, params)
        return await answer if inspect.isawaitable(answer) else answer

    return handle


def check_program(
    program: Program, settings: Settings, opened: Mapping[str, str], last: Analysis, early: Early | None = None
) -> Checked:
    """Analyse a program in the analysis thread, which loads the analysis first."""
    from inplace_lsp.lsp.documents import analysis  # noqa: PLC0415

    return analysis.check_program(program, settings, opened, last, early)


def load_analysis() -> None:
    """Import the analysis, with cached code."""
    with compile_once((dataclasses,), find_cache_path(".analysis.code")):
        import_module("inplace_lsp.lsp.documents.analysis")


def load_soon(session: Session) -> None:
    """Load the analysis before the client opens a file. Wait a little: findings of the last session for a file that is
    opened at once need no analysis."""
    asyncio.get_running_loop().call_later(PAUSE_SECONDS, session.background.submit_job, "load", load_analysis)
