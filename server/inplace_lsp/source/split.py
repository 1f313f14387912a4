"""Text to chunks: the top-level statements of a module, found without parsing it.

A chunk starts at a line with code in its first column, outside brackets and strings. In a half-typed file brackets and
strings may never close: a line that can only be the start of a definition or an import ends them, and so does code in
the first column once the body of the chunk has begun.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""[^#"'()\[\]{}\\\n]*  # what is none of our business, passed over in one go
    (?:(?P<line>\n)|(?P<open>[(\[{])|(?P<close>[)\]}])|\\\n|\#[^\n]*
    |\"\"\"[^\\"]*(?:(?:\\.|"(?!""))[^\\"]*)*\"\"\"|'''[^\\']*(?:(?:\\.|'(?!''))[^\\']*)*'''
    |"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'
    |["'\\]|\Z)  # a string that is not closed (yet); so that every search succeeds where it starts""",
    re.VERBOSE | re.DOTALL,
)
_STRONG = re.compile(r"(?:async[ \t]+def|def|class|import)[ \t]+\w|@\w|from[ \t]+[\w.]+[ \t]+import\b")
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of one top-level statement; `row` is the 1-based row of its first line in the file."""

    row: int
    text: str


def split(text: str) -> tuple[Chunk, ...]:
    """Cut `text` (line ends are `\\n`) into chunks; joined together they are `text` again."""
    starts = _starts(text)
    if not starts or starts[0] != 0:
        starts.insert(0, 0)
    chunks = []
    row = 1
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        piece = text[start:end]
        chunks.append(Chunk(row, piece))
        row += piece.count("\n")
    return tuple(chunks)


def _starts(text: str) -> list[int]:
    starts: list[int] = []
    depth = 0
    in_body = False
    decorated = _begins(text, 0, starts, False)
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "line":
            at = match.end()
            if depth and (_STRONG.match(text, at) or (in_body and text[at : at + 1].isidentifier())):
                depth = 0
            if not depth:
                before = len(starts)
                decorated = _begins(text, at, starts, decorated)
                in_body = len(starts) == before
    return starts


def _begins(text: str, at: int, starts: list[int], decorated: bool) -> bool:
    """Note a chunk start at `at` if there is one; return whether the chunk is so far only decorators."""
    if at >= len(text) or text[at] in " \t\f\n#)]}\\":
        return decorated
    if _CONTINUES.match(text, at) and starts:
        return False
    if not decorated:
        starts.append(at)
    return text[at] == "@"
