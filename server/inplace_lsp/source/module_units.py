"""Read a module of which few names are needed: parse a definition only when its statements are requested."""

from __future__ import annotations

import re
from functools import cached_property

from inplace_lsp.source import ir
from inplace_lsp.source.parsed import parse_chunk
from inplace_lsp.source.split import Chunk, may_cut_wrongly, split_chunks
from inplace_lsp.source.units import Unit, normalise_text, read_source

_DEFINITION = re.compile(r"""(?:@[^\n"']*\n)*(?:(?:async )?def|class) (\w+)""")
_DECORATOR = re.compile(r"^@[ \t]*(\w+)", re.MULTILINE)
_MORE_BELOW = re.compile(r"\f|^\\", re.MULTILINE)
"""Characters after which a statement may begin that was not split from the one above."""


class UnreadUnit(Unit):
    """A unit that binds `name` and nothing else, or nothing if it does not parse."""

    def __init__(self, row: int, name: str, text: str) -> None:
        object.__setattr__(self, "row", row)
        self.__dict__.update(name=name, _text=text)

    name: str
    _text: str

    @cached_property
    def decorators(self) -> tuple[str, ...]:
        """The first name of each decorator."""
        return tuple(_DECORATOR.findall(self._text)) if self._text.startswith("@") else ()

    @cached_property
    def statements(self) -> tuple[ir.Statement, ...]:
        """The statements of the text."""
        return parse_chunk(self._text).statements


def read_module(text: str) -> tuple[Unit, ...]:
    """Return the units of `text`, as `read_source` does."""
    chunks = split_chunks(normalise_text(text))
    if may_cut_wrongly(chunks):
        return read_source(text).units
    return tuple(map(_make_unit, chunks))


def _make_unit(chunk: Chunk) -> Unit:
    found = _DEFINITION.match(chunk.text)
    if found is None or not found[1].isascii() or _MORE_BELOW.search(chunk.text):
        return Unit(chunk.row, parse_chunk(chunk.text).statements)
    return UnreadUnit(chunk.row, found[1], chunk.text)
