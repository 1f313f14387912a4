"""How many steps the paths of one entry may take."""

from __future__ import annotations

STEPS = 20_000
"""Steps the first path of an entry may take."""
STEPS_OF_PROGRAM = 60_000
"""Steps the first path of the module as a program may take: it makes the networks that it trains."""
MORE_STEPS = 10_000
"""Steps that all its other paths may take together: as long as an edit of it may make its reader wait."""
FEWEST_STEPS = 3_000
"""Steps that the other paths may take however many were guided."""
STEPS_TO_COVER = 20_000
"""Steps that the paths may take together which are guided to code that no path before has come to. One that repeats
most of a long first path needs more: as many as the first took, and half of that."""

STEPS_IN_VAIN = 200_000
"""Steps that the functions of a file of which not all was seen may take together before those below get less."""
LESS = 10
"""They get one part in so many: a file whose functions all call each other is answered in seconds, too."""


def share_after(steps_in_vain: int) -> int:
    """Return which part of its budget, one in so many, a function gets after so many such steps."""
    return 1 if steps_in_vain < STEPS_IN_VAIN else LESS


class Budget:
    """What is left to the next path: the first, one that is guided, or another. `share`: of which part of the usual
    steps, one in so many. `spent`: how many steps were taken."""

    def __init__(self, steps_of_first: int, share: int = 1) -> None:
        self.share = share
        self._left, self._left_to_cover = steps_of_first // share, STEPS_TO_COVER // share
        self._is_first = True
        self.spent = 0

    def for_path(self, guided: bool) -> int:
        """Return how many steps the next path may take."""
        return self._left_to_cover if guided else self._left

    def spend(self, guided: bool, left: int) -> None:
        """Take note that a path has run and did not need `left` of its steps."""
        self.spent += self.for_path(guided) - left
        if guided:
            self._left = max(self._left - (self._left_to_cover - left), FEWEST_STEPS // self.share)
            self._left_to_cover = left
        else:
            if self._is_first:
                self._left_to_cover = max(STEPS_TO_COVER // self.share, (self._left - left) * 3 // 2)
            self._left = MORE_STEPS // self.share if self._is_first else left
        self._is_first = False

    def is_spent(self) -> bool:
        """Return whether no path may follow."""
        return self._left <= 0

    def may_cover(self) -> bool:
        """Return whether a guided path may follow."""
        return not self._is_first and self._left_to_cover > 0
