"""Load what the answer to `initialize` does not need after it, beside the event loop, or when it is first wanted."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from inplace_lsp.lsp.guard import Handler
from inplace_lsp.lsp.start import load_analysis

if TYPE_CHECKING:
    from inplace_lsp.lsp.checked import Checked
    from inplace_lsp.lsp.convert import Program
    from inplace_lsp.lsp.session import Session
    from inplace_lsp.lsp.settings import Settings


def load_handler(name: str) -> Handler:
    """Return the `handle` of the module of that name in this folder, which the first message for it loads."""

    loaded: ModuleType | None = None

    async def handle(session: Session, params: Any) -> Any:
        nonlocal loaded
        if loaded is None:
            loaded = await asyncio.to_thread(import_module, f"{__package__}.{name}")
        answer = loaded.handle(session, params)
        return await answer if inspect.isawaitable(answer) else answer

    return handle


def check_program(program: Program, settings: Settings, opened: Mapping[str, str]) -> Checked:
    """Analyse a program in the analysis thread, which loads the analysis first."""
    from inplace_lsp.lsp import analysis  # noqa: PLC0415

    return analysis.check_program(program, settings, opened)


def load_soon(session: Session) -> None:
    """Load the analysis before the client opens a file."""
    asyncio.get_running_loop().call_soon(session.background.submit, "load", load_analysis)
