"""Match the lines of a text before and after an edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MatchedLines:
    """Where the lines of a text are after an edit: those above and below all that has changed are found again. Rows are
    0-based."""

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
    def longer(self) -> int:
        """Return by how many lines the text has grown."""
        return len(self.new) - len(self.old)

    def move_row(self, row: int) -> int:
        """Return where a row is now; for one that has changed, a row in the changed stretch."""
        if row < self.above:
            return row
        if row >= len(self.old) - self.below:
            return row + self.longer
        return max(0, min(row, len(self.new) - self.below - 1))

    def find_unread(self) -> tuple[int, int]:
        """Return the first and the last row that have changed: where lines were deleted, the one above."""
        last = len(self.new) - self.below - 1
        return max(0, min(self.above, last)), max(0, last)
