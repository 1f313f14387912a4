import json
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


@pytest_asyncio.fixture(scope="module")
async def running() -> AsyncIterator[dict[str, Editor]]:
    """The editors that tests of a module share, by what they were started with; all are stopped after the last test."""
    editors: dict[str, Editor] = {}
    yield editors
    for editor in editors.values():
        assert await editor.stop() == 0


@pytest_asyncio.fixture
async def share(client: str, running: dict[str, Editor]) -> AsyncIterator[Start]:
    """Give the editor of another test that wanted the same, as if it were new: no text is open, nothing was said.

    For tests that ask about their own texts, and leave settings and processes as they are. An `xdist_group` brings
    those that share into one worker of pytest.
    """
    used: list[Editor] = []

    async def begin(**options: object) -> Editor:
        key = json.dumps([client, options])
        if key not in running:
            running[key] = Editor()
            await running[key].start(capabilities(client), **options)
        used.append(running[key])
        return running[key]

    yield begin
    for editor in used:
        editor.forget()
