"""The server's side of the conversation: read bytes, pass each message on or refuse it; end with the input."""

from __future__ import annotations

import asyncio
import select
import sys
from concurrent.futures import Executor
from threading import Event
from typing import TYPE_CHECKING, BinaryIO

from inplace_lsp.lsp.transport.envelope import PARSE_ERROR, NotJsonError, Refusal, find_refusal, read_body
from inplace_lsp.lsp.transport.frames import Fault, Frames

if TYPE_CHECKING:
    from inplace_lsp.lsp.transport.protocol import Protocol

CHUNK = 2**20
PIPE = 2**12
"""Minimum number of bytes that a pipe holds: a shorter piece is the end of a message."""
MOST = 256
PAUSE_SECONDS = 0.005
SILENCE_SECONDS = 1.0
"""Seconds without input after which an incomplete message is given up."""


async def serve_messages(
    stdin: BinaryIO, protocol: Protocol, executor: Executor, stop: Event, begun: bytes = b""
) -> None:
    """Handle messages until the input ends or `stop` is set; `begun`: the input that was already read."""
    frames = Frames()
    loop = asyncio.get_running_loop()
    for found in frames.feed_bytes(begun):
        await _take_message(found, frames, protocol)
    while not stop.is_set():
        reading = loop.run_in_executor(executor, _read_available, stdin)
        if frames.is_waiting and not (await asyncio.wait({reading}, timeout=SILENCE_SECONDS))[0]:
            for found in frames.give_up_waiting():
                await _take_message(found, frames, protocol)
        data = await reading
        if not data:
            return
        for found in frames.feed_bytes(data):
            await _take_message(found, frames, protocol)


def _read_available(stdin: BinaryIO) -> bytes:
    """Wait for input and return all that comes without a pause: a pipe holds only a part of a large message."""
    parts = [stdin.read1(CHUNK)]  # type: ignore[attr-defined]
    while len(parts[-1]) >= PIPE and len(parts) < MOST and sys.platform != "win32":
        if not select.select([stdin], [], [], PAUSE_SECONDS)[0]:
            break
        parts.append(stdin.read1(CHUNK))  # type: ignore[attr-defined]
    return b"".join(parts)


async def _take_message(found: bytes | Fault, frames: Frames, protocol: Protocol) -> None:
    if isinstance(found, Fault):
        protocol.answer_refusal(Refusal(None, PARSE_ERROR, found.reason))
        return
    try:
        data = read_body(found)
    except NotJsonError as error:
        protocol.answer_refusal(Refusal(None, PARSE_ERROR, f"not JSON: {error}"))
        frames.give_back(found)
        return
    refusal = find_refusal(data)
    if refusal is not None:
        protocol.answer_refusal(refusal)
    elif isinstance(data, dict):
        protocol.receive_message(data)
        await asyncio.sleep(0)  # what it starts begins before the next message is looked at
