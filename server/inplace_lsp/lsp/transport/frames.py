"""From a stream of bytes to the messages in it, whatever stands between them.

pygls reads `Content-Length: N` literally: after a lower-case name, an extra blank or a bare newline it waits for a
header forever, after a length beyond the message for the rest of it, and a length of 10^30 ends the server. This module
reads every header that can be understood, and skips a damaged part of the stream up to the next valid header. That
always finds the next message: JSON cannot contain a header line, because it writes a line end in a string as `\\n`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LARGEST = 256 * 2**20
"""Maximum size of a message in bytes."""
LONGEST_LINE = 8192
_HEADER = re.compile(rb"content-length[ \t]*:[ \t]*[0-9]{1,12}[ \t]*\r?\n", re.IGNORECASE)
_NAME = re.compile(rb"[A-Za-z0-9_-]+")
_LENGTH = re.compile(rb"[0-9]{1,12}")
_CHARSET = re.compile(rb"charset\s*=\s*\"?([^\";\s]+)", re.IGNORECASE)
_TAIL = 64
"""Number of bytes to keep of damaged input: a header may have begun in them."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Input that is not a message."""

    reason: str


class Frames:
    """The input that is not a complete message yet."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._problem = ""
        self._searched = 0
        self._in_headers = self._in_body = self._lost = False

    @property
    def is_waiting(self) -> bool:
        """Return whether a message has begun that is not complete."""
        return bool(self._buffer) and not self._lost

    def feed_bytes(self, data: bytes) -> Iterator[bytes | Fault]:
        """Take bytes; yield the bodies of complete messages, and the faults of others."""
        self._buffer += data
        while True:
            if self._lost:
                if not self._find_header():
                    return
            elif self._in_body:
                assert self._length is not None
                if len(self._buffer) < self._length:
                    return
                yield self._take_body()
            else:
                line = self._take_line()
                if line is None:
                    return
                reason = self._read_header(line)
                if reason:
                    yield self._lose_message(reason)

    def give_back(self, body: bytes) -> None:
        """Put back a body that is not JSON: its length may have been wrong, and the next message may begin inside
        it."""
        self._buffer[:0] = body
        self._begin_message()
        self._lost = True

    def give_up_waiting(self) -> Iterator[bytes | Fault]:
        """Give up on an incomplete message after a silence: its sender waits for an answer."""
        if not self._in_body:
            yield self._lose_message(f"no header: {_show_bytes(self._buffer)}")
            yield from self.feed_bytes(b"")
        elif self._holds_header():
            yield self._lose_message(f"a message of fewer bytes than its Content-Length, {self._length}")
            yield from self.feed_bytes(b"")

    def _holds_header(self) -> bool:
        """Return whether another message begins in the awaited body."""
        start, self._searched = self._searched, max(0, len(self._buffer) - _TAIL)
        return _HEADER.search(self._buffer, start) is not None

    def _lose_message(self, reason: str) -> Fault:
        self._begin_message()
        self._lost = True
        return Fault(reason)

    def _begin_message(self) -> None:
        self._length, self._problem, self._searched = None, "", 0
        self._in_headers = self._in_body = self._lost = False

    def _find_header(self) -> bool:
        found = _HEADER.search(self._buffer)
        del self._buffer[: found.start() if found else -_TAIL]
        self._lost = found is None
        return found is not None

    def _take_body(self) -> bytes | Fault:
        body = bytes(self._buffer[: self._length])
        del self._buffer[: self._length]
        problem = self._problem
        self._begin_message()
        return Fault(problem) if problem else body

    def _take_line(self) -> bytes | None:
        end = self._buffer.find(b"\n", 0, LONGEST_LINE)
        if end < 0:
            return bytes(self._buffer[:LONGEST_LINE]) if len(self._buffer) >= LONGEST_LINE else None
        return bytes(self._buffer[: end + 1])

    def _read_header(self, line: bytes) -> str:
        """Take a line of the headers from the buffer. Returns what is wrong with it; then it may hold the next one."""
        name, colon, value = (part.strip() for part in line.partition(b":"))
        is_header = bool(colon and _NAME.fullmatch(name) and line.endswith(b"\n"))
        if line.strip() and not (is_header and (name.lower() == b"content-length" or not _HEADER.search(line))):
            return f"no header: {_show_bytes(line)}"
        del self._buffer[: len(line)]
        if not line.strip():
            return self._end_headers()
        self._in_headers = True
        if name.lower() == b"content-length":
            return self._read_length(value)
        if name.lower() == b"content-type":
            self._read_content_type(value)
        return ""

    def _read_content_type(self, value: bytes) -> None:
        charset = _CHARSET.search(value)
        if charset is not None and charset[1].lower() not in (b"utf-8", b"utf8"):
            self._problem = f"charset {_show_bytes(charset[1])}: messages are written in utf-8"

    def _end_headers(self) -> str:
        if not self._in_headers:  # an empty line between two messages
            return ""
        self._in_body = True
        return "" if self._length is not None else "headers without a Content-Length"

    def _read_length(self, value: bytes) -> str:
        if not _LENGTH.fullmatch(value) or int(value) > LARGEST:
            return f"Content-Length {_show_bytes(value)}: must be a number of bytes, at most {LARGEST}"
        if self._length not in (None, int(value)):
            return f"two lengths of one message: {self._length} and {int(value)}"
        self._length = int(value)
        return ""


def _show_bytes(data: bytes | bytearray) -> str:
    return ascii(bytes(data[:40]))[2:-1]
