"""Whatever comes that is no message: it is answered as JSON-RPC says, and the next request as if nothing had been."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

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
