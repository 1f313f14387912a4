"""The paths through a program: every run replays decisions made before and records the ones it meets.

A branch whose condition is not known asks `choose`. The first run takes the first option everywhere; each decision it
met that is worth flipping is then flipped in a run of its own, fewest flips first, until the budget is spent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sized


class Choices:
    """The decisions of one run: those given, then always the first option.

    `clock` is a list that grows while the run goes on, `times` how long it was at each decision. Only the first
    `worth_flipping` of the decisions are flipped; None: all.
    """

    def __init__(self, given: tuple[int, ...] = ()) -> None:
        self._given = given
        self.taken: list[tuple[int, int]] = []
        self.clock: Sized = ()
        self.times: list[int] = []
        self.worth_flipping: int | None = None

    def choose(self, options: int) -> int:
        """Which of `options` to take here."""
        index = len(self.taken)
        option = self._given[index] if index < len(self._given) else 0
        self.taken.append((min(option, options - 1), options))
        self.times.append(len(self.clock))
        return self.taken[-1][0]

    def others(self) -> Iterator[tuple[int, ...]]:
        """The decisions of the runs that differ from this one in one more place; the last place first, for what it
        decides is the nearest to what may be written then."""
        made = [option for option, _ in self.taken]
        end = len(self.taken) if self.worth_flipping is None else self.worth_flipping
        for index in reversed(range(len(self._given), end)):
            for option in range(1, self.taken[index][1]):
                yield (*made[:index], option)


def explore(run: Callable[[Choices], bool], budget: int) -> bool:
    """Call `run` for each path, at most `budget` of them, until it returns False. Returns whether all were seen."""
    waiting: deque[tuple[int, ...]] = deque([()])
    for _ in range(budget):
        if not waiting:
            return True
        choices = Choices(waiting.popleft())
        if not run(choices):
            return False
        waiting.extend(choices.others())
    return not waiting
