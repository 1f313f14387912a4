"""Keep the last meaning of a statement while it does not parse: a half-typed statement binds what it bound before.

Only for a text in an editor (see `engine.analyse_source`). The changed lines themselves have no meaning; `Piece.unread`
names them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass, replace

from inplace_lsp.source import ir
from inplace_lsp.source.lines import MatchedLines
from inplace_lsp.source.parsed import Broken, Parsed, first_words, split_members
from inplace_lsp.source.share import index_statements, share_statements
from inplace_lsp.source.split import Chunk

Part = tuple[int, tuple[ir.Statement, ...]]
"""Statements, and the offset of their rows in the chunk."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A chunk that parsed, until an edit made it part of one that does not."""

    text: str
    statements: tuple[ir.Statement, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of a file with its statements."""

    chunk: Chunk
    parsed: Parsed
    kept: tuple[Kept, ...] = ()
    """If it does not parse: the chunks that it has replaced."""
    meaning: tuple[Part, ...] = ()
    """The statements of the replaced chunks."""
    unread: tuple[tuple[int, int], ...] = ()
    """The rows of the chunk (first and last) that the replaced chunks do not have."""

    def list_parts(self) -> tuple[Part, ...]:
        """Return the statements that the piece stands for."""
        return self.meaning or ((0, self.parsed.statements),)


def keep_meanings(pieces: Sequence[Piece], last: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return `pieces`; give those that do not parse the meaning of the `last` pieces at their place."""
    if not any(piece.parsed.broken for piece in pieces):
        return tuple(pieces)
    former = {piece.chunk.text: piece for piece in last}
    known = [_keep_as_before(piece, former.get(piece.chunk.text)) for piece in pieces]
    head, tail = _count_equal_ends(pieces, last)
    middle = _keep_middle(known[head : len(known) - tail], last[head : len(last) - tail], former.keys())
    return (*known[:head], *middle, *known[len(known) - tail :])


def _keep_as_before(piece: Piece, before: Piece | None) -> Piece:
    """Return a broken piece with the meaning that the same text had before."""
    return replace(before, chunk=piece.chunk) if before is not None and piece.parsed.broken else piece


def _count_equal_ends(now: Sequence[Piece], last: Sequence[Piece]) -> tuple[int, int]:
    shorter = min(len(now), len(last))
    head = 0
    while head < shorter and now[head].chunk.text == last[head].chunk.text:
        head += 1
    tail = 0
    while tail < shorter - head and now[-1 - tail].chunk.text == last[-1 - tail].chunk.text:
        tail += 1
    return head, tail


def _keep_middle(now: Sequence[Piece], last: Sequence[Piece], known: Set[str]) -> list[Piece]:
    """Return the pieces of an edited stretch; give each broken one, unless its text is `known`, a meaning. A single
    broken piece replaces all pieces that are gone; several replace one each, at the same place or of the same name."""
    new = [piece for piece in now if piece.parsed.broken and piece.chunk.text not in known]
    present = {name for piece in now if piece not in new for name in _list_names(piece.chunk.text)}
    found = []
    for at, piece in enumerate(now):
        if piece not in new:
            found.append(piece)
        elif len(new) == 1:
            found.append(_keep_meaning(piece, last, present))
        else:
            same = [last[at]] if len(now) == len(last) else _find_same_name(piece, last)
            found.append(_keep_meaning(piece, same, present))
    return found


def _find_same_name(piece: Piece, last: Sequence[Piece]) -> list[Piece]:
    name = first_words(piece.chunk.text)
    return [before for before in last if first_words(before.chunk.text) == name][:1]


def _keep_meaning(piece: Piece, last: Sequence[Piece], present: Set[str]) -> Piece:
    """Return a broken piece with the meaning of the `last` ones, as far as their texts and names are not `present`."""
    candidates = [kept for before in last for kept in _list_kept(before)]
    kept = tuple(one for one in candidates if present.isdisjoint(_list_names(one.text)))
    if not kept:
        return piece
    former = index_statements(
        statement for before in last for _, statements in before.list_parts() for statement in statements
    )
    if len(kept) == 1 and piece.parsed.statements:
        parts, unread = _keep_members(piece, kept[0])
    else:
        parts, unread = _keep_whole(piece, kept)
    meaning = tuple((row, share_statements(former, statements)) for row, statements in parts)
    return Piece(piece.chunk, piece.parsed, kept, meaning, unread)


def _list_names(text: str) -> tuple[str, str]:
    """Return two names of a statement: its text without blank lines below it, and its first words."""
    return text.strip(), first_words(text)


def _list_kept(piece: Piece) -> tuple[Kept, ...]:
    return piece.kept if piece.parsed.broken else (Kept(piece.chunk.text, piece.parsed.statements),)


def _keep_whole(piece: Piece, kept: Sequence[Kept]) -> tuple[list[Part], tuple[tuple[int, int], ...]]:
    """Return the parts that a broken piece stands for, and its rows that they do not have. The parts follow each other
    as units do; a changed part counts as long as one of its lines is left."""
    lines = MatchedLines("".join(one.text for one in kept).split("\n"), piece.chunk.text.split("\n"))
    parts: list[Part] = []
    changed: list[tuple[int, Kept]] = []
    at = 0
    for one in kept:
        rows = one.text.count("\n")
        if at + rows <= lines.above:
            parts.append((at, one.statements))
        elif at >= len(lines.old) - lines.below:
            parts.append((at + lines.grown_by, one.statements))
        else:
            changed.append((at, one))
        at += rows
    if changed and changed[0][0] < len(lines.new) - lines.below:
        parts.append(
            (changed[0][0], tuple(node for at, one in changed for node in _move_kept(one, at, changed[0][0], lines)))
        )
    first, last = lines.find_unread()
    return sorted((part for part in parts if part[1]), key=lambda part: part[0]), ((first + 1, last + 1),)


def _move_kept(kept: Kept, at: int, base: int, lines: MatchedLines) -> tuple[ir.Statement, ...]:
    """Return the statements of a chunk that was at row `at`, seen from the row `base`."""
    if at == base and not lines.grown_by:
        return kept.statements
    return _move_statements(kept.statements, lambda row: lines.move_row(row - 1 + at) + 1 - base)


def _keep_members(piece: Piece, kept: Kept) -> tuple[list[Part], tuple[tuple[int, int], ...]]:
    """Return the class of a broken piece with its broken members as they were, and the rows that these do not have."""
    rows = piece.chunk.text.split("\n")
    former = {first_words(chunk.text): chunk for chunk in split_members(kept.text)[1]}
    methods = _find_methods(kept.statements, _find_methods(piece.parsed.statements, {}))
    found: list[ir.Statement] = []
    unread: list[tuple[int, int]] = []
    for broken in piece.parsed.broken:
        method, chunk = methods.get(_method_name(broken)), former.get(broken.name)
        if method is None or chunk is None:
            continue
        lines = MatchedLines(chunk.text.rstrip("\n").split("\n"), rows[broken.row - 1 : broken.end_row])
        found.extend(_move_method(method, chunk.row, broken.row, lines))
        first, last = lines.find_unread()
        unread.append((first + broken.row, last + broken.row))
    statements = tuple(_replace_members(statement, found) for statement in piece.parsed.statements)
    return [(0, statements)], tuple(unread)


def _move_method(method: ir.FunctionDef, old: int, new: int, lines: MatchedLines) -> Sequence[ir.Statement]:
    if old == new and not lines.grown_by:
        return (method,)
    return _move_statements((method,), lambda row: lines.move_row(row - old) + new)


def _replace_members(statement: ir.Statement, members: Sequence[ir.Statement]) -> ir.Statement:
    if not isinstance(statement, ir.ClassDef):
        return statement
    return replace(statement, body=tuple(sorted((*statement.body, *members), key=lambda node: node.place)))


def _find_methods(statements: Iterable[ir.Statement], known: Mapping[str, object]) -> dict[str, ir.FunctionDef]:
    """Return the methods of classes by their names, without those of a `known` name or of one that several have."""
    methods = [
        node
        for class_ in statements
        if isinstance(class_, ir.ClassDef)
        for node in class_.body
        if isinstance(node, ir.FunctionDef) and node.name not in known
    ]
    often = Counter(node.name for node in methods)
    return {node.name: node for node in methods if often[node.name] == 1}


def _method_name(broken: Broken) -> str:
    return broken.name.rpartition(" ")[2]


def _move_statements(statements: tuple[ir.Statement, ...], move: Callable[[int], int]) -> tuple[ir.Statement, ...]:
    """Return a copy of statements with their rows moved; none if they are nested too deeply."""
    try:
        moved = deepcopy(statements)
    except RecursionError:
        return ()
    for node in {id(node): node for node in ir.walk_nodes(moved)}.values():
        place = getattr(node, "place", None)
        if place is not None:
            node.place = (move(place[0]), place[1], move(place[2]), place[3])  # type: ignore[attr-defined]
    return moved
