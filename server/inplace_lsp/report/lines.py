"""Source lines as a terminal shows them, and where a column of the source then stands."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rich.cells import cell_len

TAB = "    "
MAX_WIDTH = 160
_BEFORE = 40
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines of a source text as Python counts them: a form feed or a Unicode line separator ends none."""
    return _LINE_BREAK.split(text)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line cut to what fits round `start`; `cell` says where a source column is shown."""

    source: str
    start: int = 0

    @property
    def text(self) -> str:
        """The line, with an ellipsis where it was cut."""
        end = self._first + MAX_WIDTH
        cut = _visible(self.source[self._first : end])
        return "…" * (self._first > 0) + cut + "…" * (end < len(self.source))

    def cell(self, column: int) -> int:
        """The terminal cell, counted from 0, at which `column` (code points) is shown; the edge if it was cut off."""
        shown = self.source[self._first : min(column, self._first + MAX_WIDTH)] if column > self._first else ""
        return (self._first > 0) + cell_len(_visible(shown))

    @property
    def _first(self) -> int:
        return 0 if len(self.source) <= MAX_WIDTH else max(0, self.start - _BEFORE)


def _visible(text: str) -> str:
    """Tabs as spaces; characters that would steer the terminal as a replacement character."""
    return "".join(char if char.isprintable() else TAB if char == "\t" else _REPLACEMENT for char in text)
