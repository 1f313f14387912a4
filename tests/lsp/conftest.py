from collections.abc import AsyncIterator, Awaitable, Callable

import pytest_asyncio
from lsprotocol import types

from lsp.editor import Editor

Start = Callable[..., Awaitable[Editor]]


@pytest_asyncio.fixture
async def start() -> AsyncIterator[Start]:
    """Start editors with a server each; all are stopped after the test."""
    editors: list[Editor] = []

    async def begin(declared: types.ClientCapabilities | None = None, **options: object) -> Editor:
        editor = Editor()
        editors.append(editor)
        await editor.start(declared, **options)
        return editor

    yield begin
    for editor in editors:
        if editor.client._server.returncode is None:
            assert await editor.stop() == 0
