"""Coverage first: code that may write or walk is executed once before anything is executed along another path."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.interpret.entries.left_out import LeftOut, key_of
from inplace_lsp.interpret.machine.machine import Machine, Untaken
from inplace_lsp.interpret.state.paths import Decision, Way

ATTEMPTS = 2
"""Runs that are guided to the same code. It may hang on more than the decisions that were seen to lead past it."""


@dataclass(slots=True)
class _Wanted:
    """The decisions that may lead to code that no run has executed, and how many runs were guided to it."""

    guide: dict[Decision, int]
    attempts: int = 0


class Coverage:
    """What the runs of one entry have executed, and what they have left out that may write or walk."""

    def __init__(self) -> None:
        self._left_out = LeftOut()
        self.executed: set[int] = set()
        self._wanted: dict[int, _Wanted] = {}
        self._met: frozenset[Decision] | None = None
        self._missing_a_pass: list[Way] = []

    def note(self, machine: Machine) -> None:
        """Note what a run executed, and what it left out."""
        self.executed |= machine.executed
        if self._met is None:
            self._met = frozenset(machine.path.decisions)
        way = machine.path.way
        if machine.misses_a_pass and way.guide and not way.after_first_pass:
            self._missing_a_pass.append(Way(way.guide, after_first_pass=True))
        for untaken in machine.untaken:
            first = untaken.code[0] if isinstance(untaken.code, tuple) else None
            if first is None or id(first) in self.executed:
                continue
            guide = _find_decisions(machine, untaken)
            known = self._wanted.get(id(first))
            if known is not None:
                known.guide = guide or known.guide
            elif guide and self._left_out.may_write(untaken.code, untaken.frame):
                self._wanted[id(first)] = _Wanted(guide)

    def find_left_out(self, machine: Machine, decisions: int) -> dict[int, int]:
        """Return the code that a run left out after more than so many decisions and that may write or walk, by the id
        of its first statement, each with how many decisions had been made when it was left out last."""
        found: dict[int, int] = {}
        for untaken in reversed(machine.untaken):
            if untaken.decisions <= decisions:
                break
            key = key_of(untaken.code)
            if key not in found and self._left_out.may_write(untaken.code, untaken.frame):
                found[key] = untaken.decisions
        machine.looked_into |= self._left_out.seen
        return found

    def find_way(self) -> Way | None:
        """Return how a run comes to what is wanted, None if nothing is or it would be the first run again."""
        guide: dict[Decision, int] = {}
        for key, wanted in self._wanted.items():
            if key in self.executed or wanted.attempts == ATTEMPTS:
                continue
            if all(guide.get(decision, option) == option for decision, option in wanted.guide.items()):
                wanted.attempts += 1
                guide.update(wanted.guide)
        if self._met is not None and not self._met.isdisjoint(guide):
            return Way(guide)
        return self._missing_a_pass.pop(0) if self._missing_a_pass else None


def _find_decisions(machine: Machine, untaken: Untaken) -> dict[Decision, int]:
    """Return decisions that may lead to code that a run left out: the latest that led past it, made otherwise, after
    those that had led the run so far."""
    path = machine.path
    for index in untaken.because_of:
        option, options = path.taken[index]
        if options > 1:
            before = path.decisions[:index] if path.guide else ()
            guided = {made: path.guide[made] for made in before if made in path.guide}
            return guided | {path.decisions[index]: (option + 1) % options}
    return {}
