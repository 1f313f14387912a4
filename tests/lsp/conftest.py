from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from lsprotocol import types

from lsp.editor import Editor, capabilities

Start = Callable[..., Awaitable[Editor]]


@pytest.fixture
def client() -> str:
    """As which client editors are started; tests of features have this of several."""
    return "visual-studio-code"


@pytest_asyncio.fixture
async def start(client: str) -> AsyncIterator[Start]:
    """Start editors with a server each; all are stopped after the test."""
    editors: list[Editor] = []

    async def begin(declared: types.ClientCapabilities | None = None, **options: object) -> Editor:
        editor = Editor()
        editors.append(editor)
        await editor.start(declared or capabilities(client), **options)
        return editor

    yield begin
    for editor in editors:
        if editor.client._server.returncode is None:
            assert await editor.stop() == 0
