"""Budgets: how many steps the paths of an entry may take."""

from __future__ import annotations

from dataclasses import dataclass

STEPS = 20_000
"""Steps the first path of an entry may take."""
STEPS_OF_PROGRAM = 60_000
"""Steps that the first path of the module as a program may take: it makes the networks that it trains."""
STEPS_TO_DEFINE = 60_000
"""Steps that each path of the program may take besides, for statements that only bind names."""
MORE_STEPS = 10_000
"""Steps that all other paths may take together: a user waits that long after an edit."""
FEWEST_STEPS = 3_000
"""Steps that the other paths may take, however many paths were guided."""
STEPS_TO_COVER = 20_000
"""Steps that all guided paths may take together. If they repeat most of a long first path, they need more: one and a
half times its steps."""
STEPS_TO_COVER_PROGRAM = 60_000
"""The same of the module as a program: a script's options lead to methods and losses that only it calls, and there is
one program in a file."""

STEPS_IN_VAIN = 200_000
"""Steps that incompletely explored functions of a file may take together before the functions below get less."""
STEPS_OF_FILE = 500_000
"""Steps that all functions of a file may take together before those below get less. The largest are cut first: a small
one needs no more than its share."""
LESS = 10
"""The divisor of their budget: a file whose functions all call each other still takes only seconds."""

COST_OF_RUN, COST_OF_EVENT, COST_OF_FINDING = 40, 3, 60
"""What a run, an event on its tape and a finding cost besides the steps, in steps."""
COST_OF_FILE = 600_000
"""What all functions of a file may cost together, in steps: some seconds. Large models cost up to three quarters of it,
the largest files of torch's compiler all of it."""
RESERVED = 200
"""How much of that each function has in reserve, whatever those above cost: together at least a tenth of it, at most
half."""
COST_OF_STEP = 8
"""What a step costs with its events, at most."""
LEAST, NOTHING = 1_000, 1_000_000
"""The divisors of a function's budget that leave it its first statements, and nothing."""


@dataclass
class Spent:
    """What the `entries` of a file have taken so far: steps, those that were not enough for their entries, and what all
    of it cost, without and on the reserve."""

    entries: int
    steps: int = 0
    in_vain: int = 0
    cost: int = 0
    of_reserve: int = 0

    def note_cost(self, cost: int, share: int) -> None:
        """Count what a run with a share of the budget has cost."""
        if share > LESS:
            self.of_reserve += cost
        else:
            self.cost += cost

    def find_share(self) -> int:
        """Return the divisor of the next function's budget."""
        reserve = min(max(RESERVED * self.entries, COST_OF_FILE // 10), COST_OF_FILE // 2)
        if self.cost < COST_OF_FILE - reserve:
            return 1 if self.in_vain < STEPS_IN_VAIN and self.steps < STEPS_OF_FILE else LESS
        if self.of_reserve >= reserve:
            return NOTHING
        return min(LEAST, STEPS * COST_OF_STEP * self.entries // reserve)


class Budget:
    """The steps left to the next path: the first, a guided one, or another. `share` divides the usual steps; `spent`
    counts the steps taken."""

    def __init__(self, steps_of_first: int, share: int = 1, steps_to_cover: int = STEPS_TO_COVER) -> None:
        self.share = share
        self._left, self._left_to_cover = steps_of_first // share, steps_to_cover // share
        self._is_first = True
        self.spent = 0

    def find_steps(self, guided: bool) -> int:
        """Return how many steps the next path may take."""
        return self._left_to_cover if guided else self._left

    def spend_steps(self, guided: bool, left: int) -> None:
        """Record that a path has run and had `left` of its steps to spare."""
        self.spent += self.find_steps(guided) - left
        if guided:
            self._left = max(self._left - (self._left_to_cover - left), FEWEST_STEPS // self.share)
            self._left_to_cover = left
        else:
            if self._is_first:
                self._left_to_cover = max(self._left_to_cover, (self._left - left) * 3 // 2)
            self._left = MORE_STEPS // self.share if self._is_first else left
        self._is_first = False

    def is_spent(self) -> bool:
        """Return whether no path may follow."""
        return self._left <= 0

    def may_cover(self) -> bool:
        """Return whether a guided path may follow."""
        return not self._is_first and self._left_to_cover > 0
