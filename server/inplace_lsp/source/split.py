"""Split a text into chunks: the top-level statements of a module, found without parsing it.

A chunk starts at a line with code in its first column, outside brackets and strings; what stands above the first is a
chunk, too. In a half-typed file brackets and strings may never close: a line that can only be the start of a definition
or an import ends them, and so does code in the first column once the body of the chunk has begun.

A chunk does not depend on the text before it. So after an edit, only the text between the unchanged chunks at the start
and those at the end is scanned again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_TOKEN = re.compile(
    r"""[^#"'()\[\]{}\\\n]*  # what is none of our business, passed over in one go
    (?:(?P<line>\n)|(?P<open>[(\[{])|(?P<close>[)\]}])|\\\n|\#[^\n]*
    |\"\"\"[^\\"]*(?:(?:\\.|"(?!""))[^\\"]*)*\"\"\"|'''[^\\']*(?:(?:\\.|'(?!''))[^\\']*)*'''
    |"(?!"")[^"\\\n]*(?:\\.[^"\\\n]*)*"|'(?!'')[^'\\\n]*(?:\\.[^'\\\n]*)*'
    |(?P<loose>\"\"\"|'''|["'])  # a string that is not closed (yet)
    |\\|\Z)  # so that every search succeeds where it starts""",
    re.VERBOSE | re.DOTALL,
)
_STRONG = re.compile(r"(?:async[ \t]+def|def|class|import)[ \t]+\w|@\w|from[ \t]+[\w.]+[ \t]+import\b")
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of one top-level statement; `row` is the 1-based row of its first line in the file."""

    row: int
    text: str
    unclosed: bool = False
    """Whether it has an open bracket that nothing closes."""
    stray: bool = False
    """Whether it closes a bracket that nothing opened."""
    loose: bool = False
    """Whether it has a quote outside of strings, or of a string that ends in another chunk."""


def split_chunks(text: str, before: Sequence[Chunk] = ()) -> tuple[Chunk, ...]:
    r"""Split `text` (line ends are `\n`) into chunks; joined together they are `text` again.

    `before` are the chunks of a former text. They only save time: those still present are not scanned again.
    """
    head = _find_leading_chunks(text, before)
    at, row = sum(len(chunk.text) for chunk in head), head[-1].row + _count_rows(head[-1]) if head else 1
    rest = before[len(head) :]
    tails = _find_tails(text, rest)
    chunks = list(head)
    for chunk in _scan_chunks(text, at, row):
        tail = tails.get(len(text) - at)
        if tail is not None:
            moved = chunk.row - rest[tail].row
            chunks += [replace(old, row=old.row + moved) if moved else old for old in rest[tail:]]
            break
        chunks.append(chunk)
        at += len(chunk.text)
    return tuple(chunks)


def may_cut_wrongly(chunks: Sequence[Chunk]) -> bool:
    """Return whether text that does not parse in these chunks might parse as a whole.

    An open bracket may have been ended too early. If none was, or no later bracket closes one, and all strings are
    closed, the chunks are what the parser would see.
    """
    unclosed = next((at for at, chunk in enumerate(chunks) if chunk.unclosed), len(chunks))
    return any(chunk.loose for chunk in chunks) or any(chunk.stray for chunk in chunks[unclosed:])


def _find_leading_chunks(text: str, before: Sequence[Chunk]) -> Sequence[Chunk]:
    """Return the chunks of `before` that `text` starts with, except one that later text may continue."""
    at = 0
    for count, chunk in enumerate(before):
        if chunk.loose or not text.startswith(chunk.text, at):
            return before[: max(0, count - 1)]
        at += len(chunk.text)
    return before[: max(0, len(before) - 1)]


def _find_tails(text: str, before: Sequence[Chunk]) -> dict[int, int]:
    """Return the positions in `before` of chunks that `text` may end with, by their total length."""
    found: dict[int, int] = {}
    end = len(text)
    for at in range(len(before) - 1, -1, -1):
        if not text.endswith(before[at].text, 0, end):
            break
        end -= len(before[at].text)
        found[len(text) - end] = at
    return found


def _count_rows(chunk: Chunk) -> int:
    return chunk.text.count("\n")


def _scan_chunks(text: str, start: int, row: int) -> Iterator[Chunk]:
    """Yield the chunks of `text` from `start` on, where a chunk begins."""
    for end, unclosed, stray, loose in _find_ends(text, start):
        chunk = Chunk(row, text[start:end], unclosed, stray, loose)
        yield chunk
        start, row = end, row + _count_rows(chunk)


def _find_ends(text: str, start: int) -> Iterator[tuple[int, bool, bool, bool]]:
    """Yield the end of each chunk and its defects."""
    depth = 0
    in_body = unclosed = stray = loose = False
    decorated = text[start : start + 1] == "@"
    for match in _TOKEN.finditer(text, start):
        kind = match.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            stray = stray or not depth
            depth = max(0, depth - 1)
        elif kind == "loose":
            loose = True
        elif kind == "line":
            at = match.end()
            if depth and _begins_statement(text, at, in_body):
                depth, unclosed = 0, True
            if depth:
                continue
            begins = _is_start(text, at)
            in_body = not begins or decorated
            if begins and not decorated:
                yield at, unclosed, stray, loose
                unclosed = stray = loose = False
            if begins or _is_continuation(text, at):
                decorated = begins and text[at] == "@"
    yield len(text), unclosed or depth > 0, stray, loose


def _begins_statement(text: str, at: int, in_body: bool) -> bool:
    """Return whether a line inside of brackets begins a statement, so that a bracket before it was never closed."""
    return bool(_STRONG.match(text, at)) or (in_body and text[at : at + 1].isidentifier())


def _is_start(text: str, at: int) -> bool:
    """Return whether a statement begins at `at`, the start of a line outside of brackets."""
    if at >= len(text) or text[at] in " \t\f\n#)]}\\":
        return False
    return not _is_continuation(text, at)


def _is_continuation(text: str, at: int) -> bool:
    return _CONTINUES.match(text, at) is not None
