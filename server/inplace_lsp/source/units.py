"""A file as units: each top-level statement is parsed on its own, so that a syntax error costs only that statement."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from inplace_lsp.source import ir
from inplace_lsp.source.parse import NotParsedError, parse, parse_now
from inplace_lsp.source.share import Former, index_statements, share_statements
from inplace_lsp.source.split import Chunk, cut_may_be_wrong, split_chunks

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A top-level statement (or several on a line) as IR. `row` minus one is added to every row in it."""

    row: int
    statements: tuple[ir.Statement, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """Text that does not parse, with the parser's reason and the row where it stopped. Rows are of the file.
    `is_syntax`: it is not Python; else only we cannot read it."""

    row: int
    end_row: int
    name: str
    reason: str
    is_syntax: bool
    stopped: int


@dataclass(frozen=True, slots=True)
class _Parsed:
    statements: tuple[ir.Statement, ...]
    broken: tuple[Broken, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """All units of a file in order, and the parts that do not parse; `pieces` are the parsed chunks."""

    units: tuple[Unit, ...]
    broken: tuple[Broken, ...]
    pieces: tuple[tuple[Chunk, _Parsed], ...] = ()


def read_source(text: str, before: Source | None = None) -> Source:
    """Split and parse `text`. Never raises: text that does not parse is in `broken`.

    `before` is a former reading. It changes no answer, but what is the same in both is the same object.
    """
    text = normalise_text(text)
    pieces = _parse_pieces(text, before)
    broken = [_at_row(chunk.row, part) for chunk, parsed in pieces for part in parsed.broken]
    if broken and cut_may_be_wrong([chunk for chunk, _ in pieces]):
        try:
            whole = share_statements(index_statements(_list_statements(before)), parse_now(text))
            return Source((Unit(1, whole),), (), pieces)
        except NotParsedError:
            pass
    return Source(_build_units(pieces, before), tuple(broken), pieces)


def _parse_pieces(text: str, before: Source | None) -> tuple[tuple[Chunk, _Parsed], ...]:
    """Parse the chunks of `text`; new ones share unchanged statements with those that are gone."""
    known = {chunk.text: parsed for chunk, parsed in before.pieces} if before else {}
    chunks = split_chunks(text, [chunk for chunk, _ in before.pieces] if before else ())
    texts = [chunk.text for chunk in chunks]
    if known and not known.keys() >= set(texts):
        known.update(_parse_new(texts, known))
    return tuple((chunk, known.get(chunk.text) or parse_chunk(chunk.text)) for chunk in chunks)


def _parse_new(texts: Sequence[str], known: Mapping[str, _Parsed]) -> dict[str, _Parsed]:
    """Parse the texts that are not known; they share statements with the known ones that are not among them."""
    here = set(texts)
    gone = [parsed for text, parsed in known.items() if text not in here]
    former = index_statements(statement for parsed in gone for statement in parsed.statements)
    return {text: _share_with(parse_chunk(text), former) for text in texts if text not in known}


def _share_with(parsed: _Parsed, gone: Former) -> _Parsed:
    return _Parsed(share_statements(gone, parsed.statements), parsed.broken)


def _build_units(pieces: Sequence[tuple[Chunk, _Parsed]], before: Source | None) -> tuple[Unit, ...]:
    """Return a unit for each piece; those that did not move are reused from `before`."""
    former = {(unit.row, unit.statements): unit for unit in before.units} if before else {}
    wanted = ((chunk.row, parsed.statements) for chunk, parsed in pieces)
    units = tuple(former.get(name) or Unit(*name) for name in wanted)
    return before.units if before and before.units == units else units


def _list_statements(source: Source | None) -> list[ir.Statement]:
    return [statement for unit in source.units for statement in unit.statements] if source else []


def _at_row(row: int, broken: Broken) -> Broken:
    down = row - 1
    return replace(broken, row=broken.row + down, end_row=broken.end_row + down, stopped=broken.stopped + down)


def normalise_text(text: str) -> str:
    r"""Return `text` with `\n` line ends, without byte order mark and lone surrogates; rows and columns stay."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", text)


@lru_cache(maxsize=4096)
def parse_chunk(text: str) -> _Parsed:
    """Parse one chunk.

    The cache helps when an edit is taken back, and for files that are both checked and imported by others: of a whole
    project, two thirds would be parsed twice. 4,096 chunks take about 50 MB, ten times the size of their text.
    """
    try:
        return _Parsed(parse(text), ())
    except NotParsedError as error:
        return _recover_members(text, error)


def _recover_members(text: str, problem: NotParsedError) -> _Parsed:
    """Keep the members of a class that parse; any other text that does not parse is lost as a whole."""
    lost = _Parsed((), (_describe_broken(Chunk(1, text), problem),))
    head, members = _split_members(text)
    if not members:
        return lost
    try:
        module = parse(head.text + members[0].text[: _indent_width(members[0].text)] + "pass\n")
    except NotParsedError:
        return lost
    broken: list[Broken] = []
    body: list[ir.Statement] = []
    for member in members:
        try:
            (wrapper,) = parse("\n" * (member.row - 2) + "if 1:\n" + member.text)
        except (NotParsedError, ValueError) as failure:
            broken.append(_describe_broken(member, failure))
            continue
        if isinstance(wrapper, ir.If):
            body.extend(wrapper.body)
    for statement in module:
        if isinstance(statement, ir.ClassDef):
            statement.body = tuple(body)
    return _Parsed(module, tuple(broken))


def _describe_broken(chunk: Chunk, failure: Exception) -> Broken:
    """Return what is lost with a chunk; the parser has seen it in the row where it stands."""
    end_row = chunk.row + _count_rows(chunk.text) - 1
    known = failure if isinstance(failure, NotParsedError) else NotParsedError(str(failure))
    stopped = known.row if chunk.row <= known.row <= end_row else chunk.row
    return Broken(chunk.row, end_row, _first_words(chunk.text), str(failure), known.is_syntax, stopped)


def _split_members(text: str) -> tuple[Chunk, tuple[Chunk, ...]]:
    """Split the class in `text` into its header and its members, each with its indentation and row."""
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if line.startswith("class ")), None)
    if start is None:
        return Chunk(1, text), ()
    body = next((i for i, line in enumerate(lines) if i > start and line[:1] in (" ", "\t") and line.strip()), None)
    if body is None:
        return Chunk(1, text), ()
    head = "\n".join(lines[:body]) + "\n"
    rest = "\n".join(lines[body:])
    indent = rest[: _indent_width(rest)]
    flat = textwrap.dedent(rest) if _is_uniform(rest, indent) else rest
    members = []
    for chunk in split_chunks(flat):
        rows = rest.split("\n")[chunk.row - 1 : chunk.row - 1 + _count_rows(chunk.text)]
        members.append(Chunk(chunk.row + body, "\n".join(rows).rstrip("\n") + "\n"))
    return Chunk(1, head), tuple(members)


def _is_uniform(text: str, indent: str) -> bool:
    return all(line.startswith(indent) for line in text.split("\n") if line.strip())


def _indent_width(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def _count_rows(text: str) -> int:
    return text.rstrip("\n").count("\n") + 1


def _first_words(text: str) -> str:
    for line in text.split("\n"):
        words = line.strip()
        if words and words[0] not in "#@":
            return words.split("(")[0].split(":")[0][:60]
    return ""
