"""Answer `initialize` before pygls is loaded: a client that declares what an earlier one did gets the same answer.

The answers are stored in the user's cache folder. pygls computes its answer all the same, once it is loaded: it is
compared with the one that was sent, and not sent again. If this module is not sure, only pygls answers.
"""

from __future__ import annotations

import hashlib
import json
import logging
import select
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from inplace_lsp.lsp.transport.frames import Frames
from inplace_lsp.user_cache import SUFFIX, cache_folder, drop_oldest, program_version, read_entry, write_entry

log = logging.getLogger(__name__)

KIND = "initialize"
MOST = 30
"""Maximum number of stored answers: one for each kind of client."""
CHUNK = 2**20
PATIENCE_SECONDS = 0.05
"""Maximum seconds to wait for the first message, or the rest of it, before pygls is loaded."""
OF_THE_PROJECT = {"processId": int, "rootUri": str, "rootPath": str, "workspaceFolders": list, "workDoneToken": str}
"""Parameters on which the answer does not depend, with the types that pygls takes besides null."""


class Writer(Protocol):
    """The stream that pygls writes to."""

    def write(self, data: bytes) -> None:
        """Write a whole message."""

    def close(self) -> None:
        """Close the stream."""


@dataclass(slots=True)
class FirstMessage:
    """The bytes that were read before pygls was loaded."""

    data: bytes = b""
    identity: int | str | None = None
    """The id of the `initialize` request, if the bytes begin with one."""
    place: Path | None = None
    """The file of the stored answer."""
    answer: dict[str, object] | None = None
    """The answer that was sent."""


def answer_first_message(stdin: BinaryIO, stdout: BinaryIO) -> FirstMessage:
    """Read what the client has sent so far, and answer it if the answer is known. Raises OSError if the client is
    gone."""
    first = FirstMessage(_read_message(stdin))
    params = _find_params(first)
    if params is None:
        return first
    first.place = cache_folder(KIND) / f"{_digest_of(params)}{SUFFIX}"
    first.answer = _find_answer(first.place)
    if first.answer is not None:
        body = json.dumps({"jsonrpc": "2.0", "id": first.identity, "result": first.answer}).encode()
        stdout.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stdout.flush()
    return first


def _find_answer(place: Path) -> dict[str, object] | None:
    """Return the stored answer, None if there is none of this version."""
    try:
        entry = read_entry(place)
        known = entry["result"] if entry["version"] == program_version() else None
    except Exception:  # the stored answer is broken: pygls will answer
        return None
    return known if isinstance(known, dict) else None


class ComparingWriter:
    """A writer that compares pygls' first answer with the one that was sent, and passes everything else on."""

    def __init__(self, writer: Writer, first: FirstMessage) -> None:
        self._writer = writer
        self._first: FirstMessage | None = first if first.place is not None else None

    def write(self, data: bytes) -> None:
        """Write a message, unless it is the answer that the client already has."""
        first = self._first
        answer = json.loads(data.partition(b"\r\n\r\n")[2]) if first is not None else {}
        if first is None or answer.get("id") != first.identity or "method" in answer:
            self._writer.write(data)
            return
        self._first = None
        if first.answer is None:
            self._writer.write(data)
        _keep_answer(first, answer.get("result"))

    def close(self) -> None:
        """Close the stream."""
        self._writer.close()


def _keep_answer(first: FirstMessage, result: object) -> None:
    """Store pygls' answer for the next client that declares the same."""
    assert first.place is not None
    if first.answer is not None and first.answer != result:
        log.error("initialize was answered as an earlier version would: restart the server")
    if isinstance(result, dict) and first.answer != result:
        drop_oldest(first.place.parent, MOST - 1)
        write_entry(first.place, {"version": program_version(), "result": result})


def _read_message(stdin: BinaryIO) -> bytes:
    """Return the bytes of the first message and what follows it; fewer if they do not arrive at once."""
    data = b""
    frames = Frames()
    while _has_input(stdin):
        more = stdin.read1(CHUNK)  # type: ignore[attr-defined]
        data += more
        if not more or any(frames.feed_bytes(more)):
            break
    return data


def _has_input(stdin: BinaryIO) -> bool:
    """Return whether input arrives soon; on Windows, where a pipe cannot be polled, wait for it."""
    return sys.platform == "win32" or bool(select.select([stdin], [], [], PATIENCE_SECONDS)[0])


def _find_params(first: FirstMessage) -> dict[str, object] | None:
    """Return the parameters on which the answer to the first message depends, None unless it is an `initialize` that
    pygls will not refuse for the others."""
    body = next(iter(Frames().feed_bytes(first.data)), None)
    if not isinstance(body, bytes):
        return None
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.keys() != {"jsonrpc", "id", "method", "params"}:
        return None
    identity, params = message["id"], message["params"]
    if (message["jsonrpc"], message["method"]) != ("2.0", "initialize") or type(identity) not in (int, str):
        return None
    if not isinstance(params, dict) or not _is_sound(params):
        return None
    first.identity = identity
    return {name: value for name, value in params.items() if name not in OF_THE_PROJECT}


def _is_sound(params: Mapping[str, Any]) -> bool:
    folders = params.get("workspaceFolders") or []
    return all(params.get(name) is None or type(params[name]) is kind for name, kind in OF_THE_PROJECT.items()) and all(
        isinstance(folder, dict) and folder.keys() == {"uri", "name"} and {*map(type, folder.values())} == {str}
        for folder in folders
    )


def _digest_of(params: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(params, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:32]
