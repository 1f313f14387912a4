"""Parse one chunk of a file; of a class that does not parse, the members that do."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import lru_cache

from inplace_lsp.source import ir
from inplace_lsp.source.parse import NotParsedError, parse_text
from inplace_lsp.source.split import Chunk, split_chunks


@dataclass(frozen=True, slots=True)
class Broken:
    """Text that does not parse, with the parser's reason and the row where it stopped. Rows are those of the file.
    `is_syntax`: it is not valid Python; otherwise it exceeds a limit of ours."""

    row: int
    end_row: int
    name: str
    reason: str
    is_syntax: bool
    stopped: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """The statements of a chunk, and its parts that do not parse; rows are of the chunk."""

    statements: tuple[ir.Statement, ...]
    broken: tuple[Broken, ...]


@lru_cache(maxsize=4096)
def parse_chunk(text: str) -> Parsed:
    """Parse one chunk.

    The cache helps when an edit is undone, and for files that are both checked and imported: without it, two thirds of
    a whole project would be parsed twice. 4,096 chunks take about 50 MB, ten times the size of their text.
    """
    try:
        return Parsed(parse_text(text), ())
    except NotParsedError as error:
        return _recover_members(text, error)


def _recover_members(text: str, problem: NotParsedError) -> Parsed:
    """Return the members of a class that parse; any other text that does not parse is lost completely."""
    lost = Parsed((), (_describe_broken(Chunk(1, text), problem),))
    head, members = split_members(text)
    if not members:
        return lost
    try:
        module = parse_text(head.text + members[0].text[: _indent_width(members[0].text)] + "pass\n")
    except NotParsedError:
        return lost
    broken: list[Broken] = []
    body: list[ir.Statement] = []
    for member in members:
        try:
            (wrapper,) = parse_text("\n" * (member.row - 2) + "if 1:\n" + member.text)
        except (NotParsedError, ValueError) as failure:
            broken.append(_describe_broken(member, failure))
            continue
        if isinstance(wrapper, ir.If):
            body.extend(wrapper.body)
    for statement in module:
        if isinstance(statement, ir.ClassDef):
            statement.body = tuple(body)
    return Parsed(module, tuple(broken))


def _describe_broken(chunk: Chunk, failure: Exception) -> Broken:
    """Return what is lost with a chunk; the parser has seen it in the row where it stands."""
    end_row = chunk.row + count_rows(chunk.text) - 1
    known = failure if isinstance(failure, NotParsedError) else NotParsedError(str(failure))
    stopped = known.row if chunk.row <= known.row <= end_row else chunk.row
    return Broken(chunk.row, end_row, first_words(chunk.text), str(failure), known.is_syntax, stopped)


def split_members(text: str) -> tuple[Chunk, tuple[Chunk, ...]]:
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
        rows = rest.split("\n")[chunk.row - 1 : chunk.row - 1 + count_rows(chunk.text)]
        members.append(Chunk(chunk.row + body, "\n".join(rows).rstrip("\n") + "\n"))
    return Chunk(1, head), tuple(members)


def _is_uniform(text: str, indent: str) -> bool:
    return all(line.startswith(indent) for line in text.split("\n") if line.strip())


def _indent_width(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def count_rows(text: str) -> int:
    """Return the number of rows without empty ones at the end."""
    return text.rstrip("\n").count("\n") + 1


def first_words(text: str) -> str:
    """Return the first words of a statement, which name it: `def f`, `class A`."""
    for line in text.split("\n"):
        words = line.strip()
        if words and words[0] not in "#@":
            return words.split("(")[0].split(":")[0][:60]
    return ""
