"""A module of which few names are asked for: its units, each definition parsed when its statements are."""

from __future__ import annotations

import re
from functools import cached_property

from inplace_lsp.source import ir
from inplace_lsp.source.split import Chunk, cut_may_be_wrong, split
from inplace_lsp.source.units import Unit, normalise, parse_chunk, read

_DEFINITION = re.compile(r"""(?:@[^\n"']*\n)*(?:(?:async )?def|class) (\w+)""")
_MORE_BELOW = re.compile(r"\f|^\\", re.MULTILINE)
"""Where a statement may begin that is not cut off from the one above it."""


class UnreadUnit(Unit):
    """A unit that binds `name` and nothing else, or nothing if it does not parse."""

    def __init__(self, row: int, name: str, text: str) -> None:
        object.__setattr__(self, "row", row)
        self.__dict__.update(name=name, _text=text)

    name: str
    _text: str

    @cached_property
    def statements(self) -> tuple[ir.Statement, ...]:
        """What the text comes to."""
        return parse_chunk(self._text).statements


def read_module(text: str) -> tuple[Unit, ...]:
    """The units of `text`, as `read` finds them."""
    chunks = split(normalise(text))
    if cut_may_be_wrong(chunks):
        return read(text).units
    return tuple(map(_unit, chunks))


def _unit(chunk: Chunk) -> Unit:
    found = _DEFINITION.match(chunk.text)
    if found is None or not found[1].isascii() or _MORE_BELOW.search(chunk.text):
        return Unit(chunk.row, parse_chunk(chunk.text).statements)
    return UnreadUnit(chunk.row, found[1], chunk.text)
