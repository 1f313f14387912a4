"""Read the text of a source file, decoded as Python itself would (PEP 263), with its line ends as they are."""

from __future__ import annotations

import codecs
import io
import sys
import tokenize

from inplace_lsp.disk import LARGEST, read_bytes, too_large

_IN_WORDS = {
    "invalid or missing encoding declaration": "not valid UTF-8, and no other encoding is declared",
    "encoding problem: utf-8": "the byte order mark says UTF-8, but the encoding comment names another encoding",
}
"""Messages of `tokenize` about an encoding, each with clearer words."""


LARGEST_LOG = 64_000_000
"""Maximum size in bytes of a log; the end of a larger one, with the error, can be cut out."""


class UnreadableError(Exception):
    """The file has no text that could be checked; the message says why."""


def read_source_file(filename: str) -> str:
    """Return the text of the file. Raises UnreadableError."""
    if filename.endswith(".ipynb"):
        raise UnreadableError(
            "a notebook, which only `check`, `verify` and editors read; Jupyter saves it as a .py file, too"
        )
    return read_text(filename)


def read_text(filename: str, largest: int = LARGEST) -> str:
    """Return the text of a file of at most `largest` bytes, whatever it is. Raises UnreadableError."""
    try:
        return decode_source(read_bytes(filename, largest))
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None


def read_stdin() -> bytes:
    """Return the bytes of standard input. Raises UnreadableError."""
    return _read_stdin_bytes(LARGEST)


def _read_stdin_bytes(largest: int) -> bytes:
    if sys.stdin is None:
        raise UnreadableError("it is closed")
    data = sys.stdin.buffer.read(largest + 1)
    if len(data) > largest:
        raise UnreadableError(too_large(largest))
    return data


def read_log(filename: str | None) -> str:
    """Return the text of a log, or of standard input for None, with marks in place of bytes that are no text. Raises
    UnreadableError."""
    try:
        data = _read_stdin_bytes(LARGEST_LOG) if filename is None else read_bytes(filename, LARGEST_LOG)
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if is_wide else "utf-8-sig", errors="replace")


def find_encoding(data: bytes) -> str:
    """Return the encoding that `data` declares. Raises SyntaxError or LookupError for one that is unknown."""
    try:
        return _detect_encoding(data)
    except SyntaxError:
        if data.startswith(codecs.BOM_UTF8):
            raise
        # Python reads the comment before it decodes the line on which it stands
        declared = _detect_encoding(b"".join(data.splitlines(keepends=True)[:2]).translate(_IN_ASCII))
        if declared == "utf-8":
            raise
        return declared


_IN_ASCII = bytes(code if code < 128 else ord("?") for code in range(256))


def _detect_encoding(data: bytes) -> str:
    return tokenize.detect_encoding(io.BytesIO(data).readline)[0]


def decode_source(data: bytes) -> str:
    """Decode `data` by its byte order mark or encoding comment, else as UTF-8. Raises UnreadableError."""
    if b"\0" in data:
        raise UnreadableError("a binary file, not Python source (it holds null bytes)")
    try:
        return data.decode(find_encoding(data))
    except UnicodeDecodeError as error:
        raise UnreadableError(f"not valid {error.encoding} (byte {error.start})") from None
    except (SyntaxError, LookupError, ValueError) as error:
        why = str(error).partition(";")[0]
        raise UnreadableError(f"cannot be decoded: {_IN_WORDS.get(why, why)}") from None
