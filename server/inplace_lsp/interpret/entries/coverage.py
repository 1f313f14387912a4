"""Cover code first: code that may write or walk is executed once before anything is executed along another path.

In an entry that writes and has saved nothing, code that may save is covered, too: then no path can show a hazard, since
nothing in it saves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inplace_lsp.interpret.entries.skipped_code import SkippedCode, find_code_key
from inplace_lsp.interpret.machine.machine import Machine, Untaken
from inplace_lsp.interpret.state.paths import Choices, Decision, Guide, Way

ATTEMPTS = 3
"""The number of runs that are guided to the same code. It may depend on other decisions than those that led past it, as
where each pass of a loop may set the flag that leaves an outer one."""


_NOT_FROZEN = "the option that freezes the leaf is not set"


@dataclass(slots=True)
class _Wanted:
    """The decisions that may lead to code no run has executed, whether it `writes` or only saves, whether it is all
    that `follows` a return or the like, and how many runs were guided to it."""

    guide: dict[Decision, int]
    writes: bool
    follows: bool
    attempts: int = 0


class Coverage:
    """The code that the runs of an entry have executed, and skipped code that may write, walk or save."""

    def __init__(self) -> None:
        self._skipped = SkippedCode()
        self.executed: set[int] = set()
        self._wanted: dict[int, _Wanted] = {}
        self._first_decisions: frozenset[Decision] | None = None
        self._missing_a_pass: list[Way] = []
        self._thawing: list[Way] = []
        self._thawed: set[Decision] = set()

    def note_run(self, machine: Machine) -> None:
        """Record what a run executed and what it skipped."""
        self.executed |= machine.executed
        if self._first_decisions is None:
            self._first_decisions = frozenset(machine.path.decisions)
        path, way = machine.path, machine.path.way
        if machine.misses_a_pass and way.guide and not way.after_first_pass:
            self._missing_a_pass.append(Way(way.guide, after_first_pass=True))
        self._thawing.extend(self._find_thawing_ways(machine))
        guided = {made: path.guide[made] for made in path.decisions if made in path.guide} if path.guide else {}
        for untaken in machine.untaken:
            self._note_untaken(machine, untaken, guided)

    def _find_thawing_ways(self, machine: Machine) -> Iterator[Way]:
        """Yield ways on which leaves are not frozen that a run wrote: torch refuses such a write then."""
        path = machine.path
        for index in sorted(machine.recorder.thaws):
            decision, (option, options) = path.decisions[index], path.taken[index]
            if decision not in self._thawed:
                self._thawed.add(decision)
                yield Way({**path.guide, decision: (option + 1) % options}, assumed=(_NOT_FROZEN,))

    def begin_again(self) -> None:
        """Prepare for runs with other inputs: the next one is the first of them."""
        self._first_decisions = None

    def _note_untaken(self, machine: Machine, untaken: Untaken, guided: Guide) -> None:
        """Record code that a run skipped as wanted if it may write or save and no run has executed it. `guided`: see
        `_find_decisions`."""
        key = find_code_key(untaken.code)
        if key in self.executed:
            return
        guide = _find_decisions(machine.path, untaken, guided)
        known = self._wanted.get(key)
        if known is not None:
            known.guide = guide or known.guide
        elif guide:
            writes = self._skipped.may_write(untaken.code, untaken.frame)
            if writes or self._skipped.may_save(untaken.code, untaken.frame):
                self._wanted[key] = _Wanted(guide, writes, untaken.follows)

    def find_skipped_code(self, machine: Machine, decisions: int) -> dict[int, int]:
        """Return code that a run skipped after more than so many decisions and that may write or walk.

        The key is the id of its first statement, the value how many decisions had been made when it was last skipped.
        """
        found: dict[int, int] = {}
        for untaken in reversed(machine.untaken):
            if untaken.decisions <= decisions:
                break
            key = find_code_key(untaken.code)
            if key not in found and self._skipped.may_write(untaken.code, untaken.frame):
                found[key] = untaken.decisions
        machine.looked_into |= self._skipped.seen
        return found

    def list_wanted_code(self, *, also_saving: bool, also_following: bool) -> list[_Wanted]:
        """Return the skipped code that may write, or `also_saving`, and that no run has executed yet.

        `also_following`: all that follows a return or the like, too, which may bring what was written to a walk.
        """
        return [
            wanted
            for key, wanted in self._wanted.items()
            if key not in self.executed and (wanted.writes or also_saving or (also_following and wanted.follows))
        ]

    def find_way(self, *, also_saving: bool = False, also_following: bool = False) -> Way | None:
        """Return a way to skipped code, None if nothing is wanted or it would be the first run again."""
        if self._thawing:
            return self._thawing.pop(0)
        guide: dict[Decision, int] = {}
        for wanted in self.list_wanted_code(also_saving=also_saving, also_following=also_following):
            if wanted.attempts < ATTEMPTS and all(
                guide.get(decision, option) == option for decision, option in wanted.guide.items()
            ):
                wanted.attempts += 1
                guide.update(wanted.guide)
        if self._first_decisions is not None and not self._first_decisions.isdisjoint(guide):
            return Way(guide)
        return self._missing_a_pass.pop(0) if self._missing_a_pass else None


def _find_decisions(path: Choices, untaken: Untaken, guided: Guide) -> dict[Decision, int]:
    """Return decisions that may lead to skipped code: the latest one that led past it, flipped, with those that led to
    this place and those that guided the run, also behind this one: other passes of its loop may decide the same."""
    for index in untaken.because_of:
        option, options = path.taken[index]
        if options > 1:
            under = {path.decisions[at]: path.taken[at][0] for at in untaken.under}
            return {**guided, **under, path.decisions[index]: (option + 1) % options}
    return {}
