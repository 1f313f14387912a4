"""Source lines as a terminal shows them, and the cells of their columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inplace_lsp.report.widths import measure_text

TAB = "    "
MAX_WIDTH = 160
_BEFORE = 40
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """Return the lines of a source text as Python counts them: form feeds and Unicode separators do not end a line."""
    return _LINE_BREAK.split(text)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line cut to `width` around `start`; `cell` maps source columns to terminal cells."""

    source: str
    start: int = 0
    width: int = MAX_WIDTH

    @property
    def text(self) -> str:
        """The line, with an ellipsis where it was cut."""
        end = self._find_first_column + self.width
        cut = _make_visible(self.source[self._find_first_column : end])
        return "…" * (self._find_first_column > 0) + cut + "…" * (end < len(self.source))

    def find_cell(self, column: int) -> int:
        """Return the terminal cell, from 0, that shows `column` (code points); the edge if it was cut off."""
        shown = (
            self.source[self._find_first_column : min(column, self._find_first_column + self.width)]
            if column > self._find_first_column
            else ""
        )
        return (self._find_first_column > 0) + measure_text(_make_visible(shown))

    @property
    def _find_first_column(self) -> int:
        return 0 if len(self.source) <= self.width else max(0, self.start - _BEFORE)


def _make_visible(text: str) -> str:
    """Return the text with tabs as spaces and control characters replaced."""
    return "".join(char if char.isprintable() else TAB if char == "\t" else _REPLACEMENT for char in text)
