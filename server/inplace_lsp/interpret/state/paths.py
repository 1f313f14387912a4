"""Explore the paths through a program: every run replays decisions made before and records the ones it meets.

A branch with an unknown condition calls `choose_option`. The first run takes the first option everywhere. The next runs
are guided to code that no run has executed yet. Then each decision that is worth flipping is flipped in a run of its
own, fewest flips first, until the budget is spent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from typing import NamedTuple, Protocol, TypeAlias

from inplace_lsp.tape.model import Span


class ControlSignal(Exception):  # noqa: N818 - control flow, no error
    """Control leaves the executed code before its end. `because_of` are the indices of the decisions that led there,
    the latest first."""

    because_of: tuple[int, ...] = ()


class Clock(Protocol):
    """The position of a run: the statement, and how much has been recorded."""

    site: Span

    @property
    def events(self) -> Sized:
        """Return what has been recorded so far."""


class Decision(NamedTuple):
    """A place where a run decides: the `nth` decision, counted from 0, at one statement."""

    site: Span | None
    nth: int


Guide: TypeAlias = Mapping[Decision, int]
"""The options to take at some decisions; the first option everywhere else."""


class Way(NamedTuple):
    """A way for a run to code that no run has executed yet. `after_first_pass`: loops follow the guide from their
    second pass on, since the first pass may create what the code needs. `assumed`: what the guide takes for granted."""

    guide: Guide
    after_first_pass: bool = False
    assumed: tuple[str, ...] = ()


FIRST_OPTIONS = Way({})


class Conditions(NamedTuple):
    """The conditions under which a run begins. `opens_defaults`: a parameter's default text is only likely, not what a
    caller gives. `ages_object`: the object of a method was not just made, but has lived. `takes_last`: the run takes
    the last option where nothing else is said, not the first."""

    opens_defaults: bool = False
    ages_object: bool = False
    takes_last: bool = False


USUAL = Conditions()


class Choices:
    """The decisions of one run: first those given, then those of the guide (`after`, else that of the way).

    `clock` counts the events that the run has recorded; `times` are the counts at each decision, and `decisions` the
    places. `recalled` are the indices of decisions that were requested again. `count_worth_flipping` returns how many
    of the first decisions are flipped; None: all are. `took_default`: the run used a parameter's default text, or an
    option of the object that a method belongs to, as if a caller had passed it; `assumed` says that such options may
    have other values.
    """

    def __init__(
        self,
        given: tuple[int, ...] = (),
        way: Way = FIRST_OPTIONS,
        after: Guide | None = None,
        conditions: Conditions = USUAL,
    ) -> None:
        self._given, self.way, self.conditions = given, way, conditions
        self.guide = after or way.guide
        self.taken: list[tuple[int, int]] = []
        self.decisions: list[Decision] = []
        self.clock: Clock | None = None
        self.times: list[int] = []
        self.recalled: list[int] = []
        self.count_worth_flipping: Callable[[], int] | None = None
        self.took_default = False
        self.assumed = way.assumed

    def choose_option(self, options: int) -> int:
        """Return which of `options` to take here."""
        index = len(self.taken)
        decision = self._find_decision()
        usual = options - 1 if self.conditions.takes_last else 0
        option = self._given[index] if index < len(self._given) else self.guide.get(decision, usual)
        option = min(option, options - 1) if option else 0
        self.taken.append((option, options))
        self.decisions.append(decision)
        self.times.append(len(self.clock.events) if self.clock is not None else 0)
        return option

    @contextmanager
    def begin_pass(self, *, first: bool) -> Iterator[None]:
        """Begin a pass of a loop that stands for more passes than are executed."""
        followed = self.guide
        if first and self.way.after_first_pass:
            self.guide = FIRST_OPTIONS.guide
        try:
            yield
        finally:
            self.guide = followed

    def replay_decisions(self, decisions: Sequence[tuple[Decision, int]]) -> bool:
        """Take the first option at each of the decisions, if this run would. Return whether it would."""
        if self.conditions.takes_last:
            return False
        first, given = len(self.taken), self._given
        if any(given[first : first + len(decisions)]) or any(self.guide.get(decision) for decision, _ in decisions):
            return False
        self.decisions.extend(decision for decision, _ in decisions)
        self.taken.extend((0, options) for _, options in decisions)
        self.times.extend([len(self.clock.events) if self.clock is not None else 0] * len(decisions))
        return True

    def count_decisions(self) -> tuple[int, int]:
        """Return how many decisions were made and recalled so far."""
        return len(self.taken), len(self.recalled)

    def find_last_since(self, mark: tuple[int, int]) -> tuple[int, ...]:
        """Return the index of the last decision made since `mark`, or else of the last one recalled; () if there is
        none."""
        made, recalled = mark
        if len(self.taken) > made:
            return (len(self.taken) - 1,)
        return (self.recalled[-1],) if len(self.recalled) > recalled else ()

    def _find_decision(self) -> Decision:
        """Return the decision to be made now."""
        site = self.clock.site if self.clock is not None else None
        last = self.decisions[-1] if self.decisions else None
        return Decision(site, last.nth + 1 if last is not None and last.site == site else 0)

    def find_alternatives(self) -> Iterator[Alternative]:
        """Yield the runs that differ from this one in one more decision, the last decision first, since it is nearest
        to the next writes. They repeat the later decisions of this run where they reach them."""
        made = [option for option, _ in self.taken]
        end = len(self.taken) if self.count_worth_flipping is None else self.count_worth_flipping()
        after = dict(zip(self.decisions[end:], made[end:], strict=True))
        for index in reversed(range(len(self._given), end)):
            later = made[index + 1 :]
            for option in range(1, self.taken[index][1]):
                flipped = (*made[:index], (made[index] + option) % self.taken[index][1])
                expected = drop_defaults((*flipped, *later))
                yield Alternative(flipped, after.copy() if any(later) else {}, expected)
            after.setdefault(self.decisions[index], made[index])


class Alternative(NamedTuple):
    """A run to come: its first decisions, what it decides after them where it comes there, and the decisions that it is
    expected to make in all."""

    given: tuple[int, ...]
    after: Guide
    expected: tuple[int, ...]


FIRST_RUN = Alternative((), {}, ())


def explore_paths(run: Callable[[Choices], int], find_way: Callable[[], Way | None]) -> bool:
    """Call `run` for each path. It returns how many paths are worth taking, guided ones not counted.

    Before each path, `find_way` returns a way to code that no run has executed yet, None if there is none. No path is
    taken twice. Return whether all paths were taken.
    """
    waiting = _Waiting()
    taken: set[tuple[int, ...]] = set()
    worth, done = 1, 0
    while (way := find_way()) is not None or done < worth:
        choices = Choices((), way) if way is not None else None
        if choices is None:
            following = waiting.take_next()
            if following is None:
                return True
            done += 1
            if following.expected in taken:
                continue
            choices = Choices(following.given, after=following.after)
        worth = run(choices)
        taken.add(drop_defaults(option for option, _ in choices.taken))
        waiting.add_run(choices)
    return taken.issuperset(following.expected for following in waiting.list_waiting())


class _Waiting:
    """The runs to come. They are derived from a run when they are asked for: by then, guided runs have reached code
    that this run skipped."""

    def __init__(self) -> None:
        self._waiting: deque[Alternative] = deque([FIRST_RUN])
        self._known: set[tuple[int, ...]] = {FIRST_RUN.expected}
        self._runs: list[Choices] = []

    def add_run(self, run: Choices) -> None:
        """Queue the runs that differ from this one in one more place."""
        self._runs.append(run)

    def list_waiting(self) -> deque[Alternative]:
        """Return all waiting runs."""
        for run in self._runs:
            for other in run.find_alternatives():
                if other.expected not in self._known:
                    self._known.add(other.expected)
                    self._waiting.append(other)
        self._runs.clear()
        return self._waiting

    def take_next(self) -> Alternative | None:
        """Return the next run, None if none waits."""
        return self._waiting.popleft() if self.list_waiting() else None


def drop_defaults(options: Iterable[int]) -> tuple[int, ...]:
    """Return the decisions without trailing first options: a run takes those by itself."""
    given = list(options)
    while given and given[-1] == 0:
        given.pop()
    return tuple(given)
