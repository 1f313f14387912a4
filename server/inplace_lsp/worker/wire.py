"""Line-delimited JSON over file descriptors: how the worker talks to its host, and a run to the worker."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from inplace_lsp.messages.codec import Message, write_message
from inplace_lsp.tape.plain import Plain

_CHUNK = 1 << 16


def send_message(descriptor: int, message: Message, **marks: str) -> None:
    """Write a message, with marks of the channel. JSON escapes text that has no encoding (lone surrogates)."""
    data = json.dumps({**write_message(message), **marks}).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]


class LineReader:
    """Reads complete lines from a descriptor. `ended`: nothing more will come."""

    def __init__(self, descriptor: int, limit: int = 1 << 30) -> None:
        self.descriptor = descriptor
        self.ended = False
        self._limit = limit
        self._pieces: list[bytes] = []
        self._size = 0

    def read_lines(self) -> Iterator[bytes]:
        """Read once what is there (wait if there is nothing) and yield the lines it completes."""
        try:
            data = os.read(self.descriptor, _CHUNK)
        except OSError:
            data = b""
        self.ended = not data
        *complete, rest = data.split(b"\n")
        for line in complete:
            yield b"".join([*self._pieces, line])
            self._pieces, self._size = [], 0
        if rest and self._size < self._limit:
            self._pieces.append(rest)
            self._size += len(rest)


def parse_line(line: bytes) -> dict[str, Plain] | None:
    """Return the object in `line`; None if it is none (a greeting of a login shell, a traceback)."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None
