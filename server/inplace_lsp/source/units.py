"""A file as units: each top-level statement parsed on its own, so that one that does not parse costs only itself."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from inplace_lsp.source import ir
from inplace_lsp.source.parse import NotParsedError, parse, parse_now
from inplace_lsp.source.share import shared
from inplace_lsp.source.split import Chunk, cut_may_be_wrong, split

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
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
class _Parsed:
    statements: tuple[ir.Statement, ...]
    broken: tuple[Broken, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """All units of a file in order, and what could not be parsed; `pieces` are the chunks that they were read from."""

    units: tuple[Unit, ...]
    broken: tuple[Broken, ...]
    pieces: tuple[tuple[Chunk, _Parsed], ...] = ()


def read(text: str, before: Source | None = None) -> Source:
    """Cut and parse `text`. Never raises: what does not parse is in `broken`.

    `before` is a former reading. It changes no answer, but what is the same in both is the same object.
    """
    text = normalise(text)
    pieces = _pieces(text, before)
    broken = [_at(chunk.row, one) for chunk, parsed in pieces for one in parsed.broken]
    if broken and cut_may_be_wrong([chunk for chunk, _ in pieces]):
        try:
            whole = shared(_statements(before), parse_now(text))
            return Source((Unit(1, whole),), (), pieces)
        except NotParsedError:
            pass
    return Source(_units(pieces, before), tuple(broken), pieces)


def _pieces(text: str, before: Source | None) -> tuple[tuple[Chunk, _Parsed], ...]:
    """The chunks of `text`, parsed; those that are new share with those that are gone what has not changed in them."""
    known = {chunk.text: parsed for chunk, parsed in before.pieces} if before else {}
    chunks = split(text, [chunk for chunk, _ in before.pieces] if before else ())
    fresh = [chunk.text for chunk in chunks if chunk.text not in known]
    if known and fresh:
        here = {chunk.text for chunk in chunks}
        gone = [one for piece, parsed in known.items() if piece not in here for one in parsed.statements]
        known.update((piece, _sharing(parse_chunk(piece), gone)) for piece in fresh)
    return tuple((chunk, known.get(chunk.text) or parse_chunk(chunk.text)) for chunk in chunks)


def _sharing(parsed: _Parsed, gone: list[ir.Statement]) -> _Parsed:
    return _Parsed(shared(gone, parsed.statements), parsed.broken)


def _units(pieces: Sequence[tuple[Chunk, _Parsed]], before: Source | None) -> tuple[Unit, ...]:
    """A unit for each piece; those that did not move are those of `before`."""
    former = {(unit.row, unit.statements): unit for unit in before.units} if before else {}
    wanted = ((chunk.row, parsed.statements) for chunk, parsed in pieces)
    units = tuple(former.get(one) or Unit(*one) for one in wanted)
    return before.units if before and before.units == units else units


def _statements(source: Source | None) -> list[ir.Statement]:
    return [statement for unit in source.units for statement in unit.statements] if source else []


def _at(row: int, broken: Broken) -> Broken:
    return replace(broken, row=broken.row + row - 1, end_row=broken.end_row + row - 1)


def normalise(text: str) -> str:
    """`text` with `\\n` line ends, no byte order mark and no half characters; all stays at its row and column."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", text)


@lru_cache(maxsize=32)
def parse_chunk(text: str) -> _Parsed:
    """Parse one chunk; the cache is for an edit that is taken back."""
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
            (wrapper,) = parse("\n" * (member.row - 2) + "if 1:\n" + member.text)
        except (NotParsedError, ValueError) as failure:
            rows = member.row, member.row + _rows(member.text) - 1
            broken.append(Broken(*rows, _first_words(member.text), str(failure)))
            continue
        if isinstance(wrapper, ir.If):
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
        rows = rest.split("\n")[chunk.row - 1 : chunk.row - 1 + _rows(chunk.text)]
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
