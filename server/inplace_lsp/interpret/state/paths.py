"""The paths through a program: every run replays decisions made before and records the ones it meets.

A branch whose condition is not known asks `choose`. The first run takes the first option everywhere. The next ones are
guided to code that no run has executed yet. Then each decision that is worth flipping is flipped in a run of its own,
fewest flips first, until the budget is spent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from typing import NamedTuple, Protocol, TypeAlias

from inplace_lsp.tape.model import Span


class Left(Exception):  # noqa: N818 - control flow, no error
    """Control leaves what is executed, other than by its end. `because_of` are the decisions (their indices) without
    which it would not have come there, the latest first."""

    because_of: tuple[int, ...] = ()


class Clock(Protocol):
    """What tells where a run stands: the statement, and how much has been recorded."""

    site: Span

    @property
    def events(self) -> Sized:
        """What has been recorded so far."""


class Decision(NamedTuple):
    """A place where a run decides: the `nth` decision, counted from 0, while it stands at one statement."""

    site: Span | None
    nth: int


Guide: TypeAlias = Mapping[Decision, int]
"""The options to take at some decisions; the first option everywhere else."""


class Choices:
    """The decisions of one run: those given, then those of the guide.

    `clock` tells where the run stands; `times` is how many events it had recorded at each decision, `decisions` where
    that was; `recalled` are the decisions (their indices) that were asked for again. Only the first `worth_flipping` of
    the decisions are flipped; None: all.
    """

    def __init__(self, given: tuple[int, ...] = (), guide: Guide | None = None) -> None:
        self._given, self.guide = given, guide or {}
        self.taken: list[tuple[int, int]] = []
        self.decisions: list[Decision] = []
        self.clock: Clock | None = None
        self.times: list[int] = []
        self.recalled: list[int] = []
        self.worth_flipping: int | None = None

    def choose(self, options: int) -> int:
        """Return which of `options` to take here."""
        index = len(self.taken)
        decision = self._find_decision()
        option = self._given[index] if index < len(self._given) else self.guide.get(decision, 0) if self.guide else 0
        option = min(option, options - 1) if option else 0
        self.taken.append((option, options))
        self.decisions.append(decision)
        self.times.append(len(self.clock.events) if self.clock is not None else 0)
        return option

    def repeat(self, decisions: Sequence[tuple[Decision, int]]) -> bool:
        """Take the first of so many options at each of the decisions, if this run would. Return whether it would."""
        first, given = len(self.taken), self._given
        if any(given[first : first + len(decisions)]) or any(self.guide.get(decision) for decision, _ in decisions):
            return False
        self.decisions.extend(decision for decision, _ in decisions)
        self.taken.extend((0, options) for _, options in decisions)
        self.times.extend([len(self.clock.events) if self.clock is not None else 0] * len(decisions))
        return True

    def mark(self) -> tuple[int, int]:
        """Return how many decisions were made and recalled so far."""
        return len(self.taken), len(self.recalled)

    def made_since(self, mark: tuple[int, int]) -> tuple[int, ...]:
        """Return the index of the last decision that was made since then, or of the last that was recalled."""
        made, recalled = mark
        if len(self.taken) > made:
            return (len(self.taken) - 1,)
        return (self.recalled[-1],) if len(self.recalled) > recalled else ()

    def _find_decision(self) -> Decision:
        """Return which decision is made now."""
        site = self.clock.site if self.clock is not None else None
        last = self.decisions[-1] if self.decisions else None
        return Decision(site, last.nth + 1 if last is not None and last.site == site else 0)

    def others(self) -> Iterator[tuple[int, ...]]:
        """The decisions of the runs that differ from this one in one more place; the last place first, for what it
        decides is the nearest to what may be written then."""
        made = [option for option, _ in self.taken]
        end = len(self.taken) if self.worth_flipping is None else self.worth_flipping
        for index in reversed(range(len(self._given), end)):
            for option in range(1, self.taken[index][1]):
                yield (*made[:index], (made[index] + option) % self.taken[index][1])


def explore(run: Callable[[Choices], int], find_guide: Callable[[], Guide | None]) -> bool:
    """Call `run` for each path. It returns how many are worth taking: not counted are those that are guided.

    Before each path, `find_guide` says how to come to code that no run has executed yet; None: there is none. What a
    guided run has taken already is not taken again. Returns whether all paths were seen.
    """
    waiting: deque[tuple[int, ...]] = deque([()])
    known: set[tuple[int, ...]] = {()}
    taken: set[tuple[int, ...]] = set()
    worth, done = 1, 0
    while done < worth:
        guide = find_guide()
        if guide is None:
            if not waiting:
                return True
            done += 1
            given = waiting.popleft()
            if given in taken:
                continue
        choices = Choices(given) if guide is None else Choices(guide=guide)
        worth = run(choices)
        taken.add(_without_defaults(option for option, _ in choices.taken))
        others = [other for other in map(_without_defaults, choices.others()) if other not in known]
        known.update(others)
        waiting.extend(others)
    return taken.issuperset(waiting)


def _without_defaults(options: Iterable[int]) -> tuple[int, ...]:
    """Return the decisions without those at the end that take the first option: a run does so by itself."""
    given = list(options)
    while given and given[-1] == 0:
        given.pop()
    return tuple(given)
