"""A file as units: each top-level statement parsed on its own, so that one that does not parse costs only itself."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from inplace_lsp.source import ir
from inplace_lsp.source.parse import NotParsedError, parse, parse_now
from inplace_lsp.source.split import Chunk, split

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Unit:
    """A top-level statement (or several on a line) as IR. `row` is added to every place in it, minus one."""

    row: int
    statements: tuple[ir.Statement, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """Text that does not parse, and the parser's word on it. Rows are of the file."""

    row: int
    end_row: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Source:
    """All units of a file in order, and what could not be parsed."""

    units: tuple[Unit, ...]
    broken: tuple[Broken, ...]


@dataclass(frozen=True, slots=True)
class _Parsed:
    statements: tuple[ir.Statement, ...]
    broken: tuple[Broken, ...]


def read(text: str) -> Source:
    """Cut and parse `text`. Never raises: what does not parse is in `broken`."""
    text = normalise(text)
    source = _read_chunks(split(text))
    if not source.broken:
        return source
    try:
        return Source((Unit(1, parse_now(text)),), ())  # the cut was wrong
    except NotParsedError:
        return source


def _read_chunks(chunks: tuple[Chunk, ...]) -> Source:
    units: list[Unit] = []
    broken: list[Broken] = []
    for chunk in chunks:
        parsed = _parse_chunk(chunk.text)
        units.append(Unit(chunk.row, parsed.statements))
        broken.extend(Broken(b.row + chunk.row - 1, b.end_row + chunk.row - 1, b.name, b.reason) for b in parsed.broken)
    return Source(tuple(units), tuple(broken))


def normalise(text: str) -> str:
    """`text` with `\\n` line ends, no byte order mark and no half characters; all stays at its row and column."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", text)


@lru_cache(maxsize=4096)
def _parse_chunk(text: str) -> _Parsed:
    """Parse one chunk; the cache makes an edit cost only the chunk it changed."""
    try:
        return _Parsed(parse(text), ())
    except NotParsedError as error:
        return _recover(text, str(error))


def _recover(text: str, reason: str) -> _Parsed:
    """A class keeps the members that parse; anything else that does not parse is lost whole."""
    lost = _Parsed((), (Broken(1, _rows(text), _first_words(text), reason),))
    head, members = _members(text)
    if not members:
        return lost
    try:
        module = parse(head.text + members[0].text[: _indent(members[0].text)] + "pass\n")
    except NotParsedError:
        return lost
    broken: list[Broken] = []
    body: list[ir.Statement] = []
    for member in members:
        try:
            (wrapper,) = parse("if 1:\n" + member.text)
        except (NotParsedError, ValueError) as failure:
            rows = member.row, member.row + _rows(member.text) - 1
            broken.append(Broken(*rows, _first_words(member.text), str(failure)))
            continue
        if isinstance(wrapper, ir.If):
            _shift(wrapper.body, member.row - 2)
            body.extend(wrapper.body)
    for statement in module:
        if isinstance(statement, ir.ClassDef):
            statement.body = tuple(body)
    return _Parsed(module, tuple(broken))


def _members(text: str) -> tuple[Chunk, tuple[Chunk, ...]]:
    """The header of the class in `text` and its members, each with its indentation and the row in `text`."""
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if line.startswith("class ")), None)
    if start is None:
        return Chunk(1, text), ()
    body = next((i for i, line in enumerate(lines) if i > start and line[:1] in (" ", "\t") and line.strip()), None)
    if body is None:
        return Chunk(1, text), ()
    head = "\n".join(lines[:body]) + "\n"
    rest = "\n".join(lines[body:])
    indent = rest[: _indent(rest)]
    flat = textwrap.dedent(rest) if _uniform(rest, indent) else rest
    members = []
    for chunk in split(flat):
        rows = rest.split("\n")[chunk.row - 1 : chunk.row - 1 + len(chunk.text.splitlines())]
        members.append(Chunk(chunk.row + body, "\n".join(rows).rstrip("\n") + "\n"))
    return Chunk(1, head), tuple(members)


def _uniform(text: str, indent: str) -> bool:
    return all(line.startswith(indent) for line in text.split("\n") if line.strip())


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def _rows(text: str) -> int:
    return text.rstrip("\n").count("\n") + 1


def _first_words(text: str) -> str:
    for line in text.split("\n"):
        words = line.strip()
        if words and words[0] not in "#@":
            return words.split("(")[0].split(":")[0][:60]
    return ""


def _shift(statements: tuple[ir.Statement, ...], rows: int) -> None:
    """Move every place in `statements` down by `rows`."""
    stack: list[object] = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
            continue
        place = getattr(node, "place", None)
        if place is not None:
            node.place = (place[0] + rows, place[1], place[2] + rows, place[3])  # type: ignore[attr-defined]
        stack.extend(getattr(node, name) for name in getattr(node, "__slots__", ()) if name != "place")
