"""Whatever comes that is no message: it is answered as JSON-RPC says, and the next request as if nothing had been."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from inplace_lsp.lsp.client.static_capabilities import COMMAND
from inplace_lsp.lsp.notifications import did_change_interpreter, did_change_trust
from inplace_lsp.lsp.server import LATE_REQUESTS, NOTIFICATIONS, REQUESTS
from inplace_lsp.lsp.transport.frames import Fault, Frames
from lsp.malformed import HOVER, UNKNOWN, URI, Malformed, framed, messages, request
from lsp.raw import Raw

MESSAGES = list(messages())
GOOD = framed(request("good"))


@pytest.fixture(scope="module")
def count() -> int:
    return len(MESSAGES)


@pytest.fixture
async def raw() -> AsyncIterator[Raw]:
    client = await Raw.start()
    client.open(URI, "x = 1\n")
    await client.published(URI)
    yield client
    if client.process.returncode is None:
        client.process.kill()
        await client.process.communicate()


def test_there_are_many(count: int):
    assert count >= 180
    assert len({message.name for message in MESSAGES}) == count


async def test_every_one_is_answered_and_the_next_request_too(raw: Raw):
    wrong = [why for message in MESSAGES if (why := await find_wrong_answer(raw, message))]
    assert wrong == []
    assert (await raw.stop())[0] == 0


async def find_wrong_answer(raw: Raw, malformed: Malformed) -> str:
    """What is wrong with how the server answers, "" if nothing is."""
    raw.process.stdin.write(malformed.data)
    number = f"good after {malformed.name}"
    raw.send({"jsonrpc": "2.0", "id": number, "method": "textDocument/hover", "params": HOVER})
    wanted = {number} if malformed.code is None else {number, malformed.identity}
    told: list[dict[str, Any]] = []
    try:
        while not wanted <= {answer["id"] for answer in told}:  # in any order: the first of a kind loads its module
            message = await raw.receive()
            if "id" in message and "method" not in message:
                told.append(message)
    except (asyncio.TimeoutError, asyncio.IncompleteReadError) as error:
        return f"{malformed.name}: not all is answered, but {told} ({type(error).__name__})"
    good = next(answer for answer in told if answer["id"] == number)
    if "error" in good:
        return f"{malformed.name}: the next request fails: {good['error']}"
    told.remove(good)
    return "" if is_answered_well(malformed, told) else f"{malformed.name}: answered with {told}"


def is_answered_well(malformed: Malformed, told: list[dict[str, Any]]) -> bool:
    """Whether the answers to a malformed message are its error, and to one that wants no answer none."""
    if malformed.code is None:
        return not told
    if [answer["id"] for answer in told] != [malformed.identity]:
        return False
    code = told[0].get("error", {}).get("code")
    return code != -32603 and malformed.code in (0, code)


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_messages_are_found_however_they_are_cut(size: int):
    stream = b"".join(
        (GOOD, b"content-length:%d\n\n" % len(request(1)), request(1), b"nonsense\r\n", GOOD, b"{}", GOOD, GOOD)
    )
    frames = Frames()
    found = [message for at in range(0, len(stream), size) for message in frames.feed_bytes(stream[at : at + size])]
    bodies = [message for message in found if isinstance(message, bytes)]
    assert bodies == [request("good"), request(1), *[request("good")] * 3]
    assert sum(isinstance(message, Fault) for message in found) == 2


def test_a_message_that_comes_slowly_is_waited_for():
    frames = Frames()
    assert list(frames.feed_bytes(GOOD[:40])) == []
    assert frames.is_waiting
    assert list(frames.give_up_waiting()) == []
    assert list(frames.feed_bytes(GOOD[40:])) == [request("good")]
    assert not frames.is_waiting


async def test_a_request_of_an_unknown_name_is_refused_whatever_it_carries(raw: Raw):
    raw.send({"jsonrpc": "2.0", "id": 9, "method": "no/such", "params": {"a": [{"b": 1}] * 100_000}})
    assert (await raw.answer(9))["error"]["code"] == UNKNOWN


DEEP = "file://" + "/a" * 30_000 + "/x.py"
TEXT = "import torch\n\n\ndef f(x):\n    y = x.exp()\n    y.add_(1)\n    return y.sum().backward()\n"
DOCUMENT = {"uri": DEEP}
CELL = {"uri": f"{DEEP}#cell", "languageId": "python", "version": 1, "text": TEXT}
NOTEBOOK = {"uri": f"{DEEP}.ipynb", "version": 1}
LOG = f'''  File "{DEEP.removeprefix("file://")}", line 7, in f
RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: \
[torch.FloatTensor [2]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.'''
ASKED = {
    "uri": DEEP,
    "textDocument": DOCUMENT,
    "position": {"line": 5, "character": 5},
    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 7, "character": 0}},
    "context": {"diagnostics": []},
    "previousResultIds": [{"uri": DEEP, "value": "1"}],
    "title": "a repair",
    "data": DOCUMENT,
    "code": "IP101",
    "text": LOG,
}
TOLD: dict[str, dict[str, Any]] = {
    "textDocument/didOpen": {"textDocument": {**DOCUMENT, "languageId": "python", "version": 1, "text": TEXT}},
    "textDocument/didChange": {"textDocument": {**DOCUMENT, "version": 2}, "contentChanges": [{"text": TEXT + "\n"}]},
    "textDocument/didSave": {"textDocument": DOCUMENT},
    "workspace/didChangeWatchedFiles": {"changes": [{"uri": DEEP, "type": kind} for kind in (1, 2, 3)]},
    "workspace/didChangeWorkspaceFolders": {"event": {"added": [{"uri": DEEP, "name": "a"}], "removed": []}},
    "workspace/didChangeConfiguration": {"settings": {}},
    did_change_trust.METHOD: {"trusted": True},
    did_change_interpreter.METHOD: {"uri": DEEP, "folder": DEEP, "interpreter": DEEP},
    "notebookDocument/didOpen": {
        "notebookDocument": {**NOTEBOOK, "notebookType": "x", "cells": [{"kind": 2, "document": CELL["uri"]}]},
        "cellTextDocuments": [CELL],
    },
    "notebookDocument/didChange": {
        "notebookDocument": NOTEBOOK,
        "change": {
            "cells": {"textContent": [{"document": {"uri": CELL["uri"], "version": 2}, "changes": [{"text": "x = 1"}]}]}
        },
    },
    "notebookDocument/didClose": {"notebookDocument": NOTEBOOK, "cellTextDocuments": [{"uri": CELL["uri"]}]},
    "textDocument/didClose": {"textDocument": DOCUMENT},
}


async def ask_everything(raw: Raw) -> None:
    """Send every request there is about the address of 30,000 folders, and wait for each answer."""
    asked = {**dict.fromkeys((*REQUESTS, *LATE_REQUESTS), ASKED)}
    asked["workspace/executeCommand"] = {"command": COMMAND, "arguments": [DEEP, 3]}
    for method, params in asked.items():
        answer = await raw.ask(method, params, f"deep {method}")
        assert ("result" in answer) != ("error" in answer), method
        assert "failed" not in str(answer.get("error", "")), answer


@pytest.mark.parametrize("root", [None, DEEP])
async def test_an_address_of_30000_folders_in_every_message(root: str | None):
    assert {*TOLD, "initialize", "initialized"} == set(NOTIFICATIONS)
    raw = await Raw.start(initialize=False)
    folders = root and [{"uri": root, "name": "a"}]
    params = {"processId": None, "rootUri": root, "workspaceFolders": folders, "capabilities": {}}
    assert "result" in await raw.ask("initialize", params)
    raw.tell("initialized", {})
    await ask_everything(raw)
    for method, told in TOLD.items():
        raw.tell(method, told)
        assert await raw.is_alive(), method
        if method == "textDocument/didSave":
            await ask_everything(raw)
    await ask_everything(raw)
    assert (await raw.stop())[0] == 0


async def test_the_findings_of_a_file_in_30000_folders_are_told(raw: Raw):
    raw.open(DEEP, TEXT)
    assert [found["code"] for found in (await raw.published(DEEP))["diagnostics"]] == ["IP101"]
