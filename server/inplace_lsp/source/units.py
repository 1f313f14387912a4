"""A file as units: each top-level statement is parsed on its own, so that a syntax error costs only that statement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from inplace_lsp.source import ir
from inplace_lsp.source.half_typed import Piece, keep_meanings
from inplace_lsp.source.parse import NotParsedError, parse_now
from inplace_lsp.source.parsed import Broken, Parsed, parse_chunk
from inplace_lsp.source.share import Former, index_statements, share_statements
from inplace_lsp.source.split import may_cut_wrongly, split_chunks

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A top-level statement (or several on a line) as IR. `row` minus one is added to every row in it."""

    row: int
    statements: tuple[ir.Statement, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """All units of a file in order, and the parts that do not parse; `pieces` are the chunks. `unread`: the rows (first
    and last) that do not parse and that no unit covers."""

    units: tuple[Unit, ...]
    broken: tuple[Broken, ...]
    pieces: tuple[Piece, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()

    def list_lines(self) -> list[str]:
        """Return the lines of the text."""
        return "".join(piece.chunk.text for piece in self.pieces).split("\n")


def read_source(text: str, before: Source | None = None, typed: Sequence[Piece] = ()) -> Source:
    """Split and parse `text`. Never raises: text that does not parse is in `broken`.

    `before` is a former reading: the result is the same, but equal statements are the same objects. `typed` are the
    pieces of the last reading of a text in an editor: code that does not parse keeps its meaning from there.
    """
    text = normalise_text(text)
    pieces = keep_meanings(_parse_pieces(text, before), typed)
    broken = [_move_broken(piece.chunk.row, part) for piece in pieces for part in piece.parsed.broken]
    if broken and may_cut_wrongly([piece.chunk for piece in pieces]):
        try:
            whole = share_statements(index_statements(_list_statements(before)), parse_now(text))
            return Source((Unit(1, whole),), (), pieces)
        except NotParsedError:
            pass
    unread = tuple(
        (piece.chunk.row + first - 1, piece.chunk.row + last - 1) for piece in pieces for first, last in piece.unread
    )
    return Source(_build_units(pieces, before), tuple(broken), pieces, unread)


def _parse_pieces(text: str, before: Source | None) -> tuple[Piece, ...]:
    """Parse the chunks of `text`; new ones share unchanged statements with those that are gone."""
    known = {piece.chunk.text: piece.parsed for piece in before.pieces} if before else {}
    chunks = split_chunks(text, [piece.chunk for piece in before.pieces] if before else ())
    texts = [chunk.text for chunk in chunks]
    if before and known and not known.keys() >= set(texts):
        known.update(_parse_new(texts, known, before.pieces))
    return tuple(Piece(chunk, known.get(chunk.text) or parse_chunk(chunk.text)) for chunk in chunks)


def _parse_new(texts: Sequence[str], known: Mapping[str, Parsed], before: Iterable[Piece]) -> dict[str, Parsed]:
    """Parse the texts that are not known; they share statements with the pieces `before` that are not among them."""
    here = set(texts)
    gone = [piece for piece in before if piece.chunk.text not in here]
    former = index_statements(
        statement for piece in gone for _, statements in piece.list_parts() for statement in statements
    )
    return {text: _share_statements(parse_chunk(text), former) for text in texts if text not in known}


def _share_statements(parsed: Parsed, gone: Former) -> Parsed:
    return Parsed(share_statements(gone, parsed.statements), parsed.broken)


def _build_units(pieces: Sequence[Piece], before: Source | None) -> tuple[Unit, ...]:
    """Return the units of all pieces; those that did not move are reused from `before`."""
    former = {(unit.row, unit.statements): unit for unit in before.units} if before else {}
    wanted = ((piece.chunk.row + row, statements) for piece in pieces for row, statements in piece.list_parts())
    units = tuple(former.get(name) or Unit(*name) for name in wanted)
    return before.units if before and before.units == units else units


def _list_statements(source: Source | None) -> list[ir.Statement]:
    return [statement for unit in source.units for statement in unit.statements] if source else []


def _move_broken(row: int, broken: Broken) -> Broken:
    down = row - 1
    return replace(broken, row=broken.row + down, end_row=broken.end_row + down, stopped=broken.stopped + down)


def normalise_text(text: str) -> str:
    r"""Return `text` with `\n` line ends, without byte order mark and lone surrogates; rows and columns stay."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", text)
