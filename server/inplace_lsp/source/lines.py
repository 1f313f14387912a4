"""Match the lines of a text before and after an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MatchedLines:
    """The rows (0-based) of a text's lines after an edit. Only the unchanged lines at the start and at the end
    count."""

    old: Sequence[str]
    new: Sequence[str]
    above: int = field(init=False)
    below: int = field(init=False)

    def __post_init__(self) -> None:
        shorter = min(len(self.old), len(self.new))
        above = 0
        while above < shorter and self.old[above] == self.new[above]:
            above += 1
        below = 0
        while below < shorter - above and self.old[-1 - below] == self.new[-1 - below]:
            below += 1
        object.__setattr__(self, "above", above)
        object.__setattr__(self, "below", below)

    @property
    def grown_by(self) -> int:
        """Return the number of lines by which the text has grown."""
        return len(self.new) - len(self.old)

    def move_row(self, row: int) -> int:
        """Return the new row of a line; for a changed line, a row in the changed stretch."""
        if row < self.above:
            return row
        if row >= len(self.old) - self.below:
            return row + self.grown_by
        return max(0, min(row, len(self.new) - self.below - 1))

    def find_unread(self) -> tuple[int, int]:
        """Return the first and the last changed row; for deleted lines, the row above."""
        last = len(self.new) - self.below - 1
        return max(0, min(self.above, last)), max(0, last)
