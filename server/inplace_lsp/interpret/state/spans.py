"""The spans of what is executed, in its file."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.source import ir
from inplace_lsp.tape.model import Span


@lru_cache(maxsize=16384)
def make_span(file: str, row: int, place: ir.Place) -> Span:
    """Return the span in `file` of a `place` in a unit that begins in `row`.

    Cached: every statement needs its span again on every path and after every edit.
    """
    return Span(file, place[0] + row - 1, place[1], place[2] + row - 1, place[3])
