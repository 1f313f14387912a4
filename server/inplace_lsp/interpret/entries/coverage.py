"""Coverage first: code that may write or walk is executed once before anything is executed along another path."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.interpret.entries.left_out import LeftOut
from inplace_lsp.interpret.machine.machine import Machine, Untaken
from inplace_lsp.interpret.state.paths import Decision, Guide

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
        self.left_out = LeftOut()
        self.executed: set[int] = set()
        self._wanted: dict[int, _Wanted] = {}
        self._met: frozenset[Decision] | None = None

    def note(self, machine: Machine) -> None:
        """Note what a run executed, and what it left out."""
        self.executed |= machine.executed
        if self._met is None:
            self._met = frozenset(machine.path.decisions)
        for untaken in machine.untaken:
            first = untaken.code[0] if isinstance(untaken.code, tuple) else None
            if first is None or id(first) in self.executed:
                continue
            guide = _find_way(machine, untaken)
            known = self._wanted.get(id(first))
            if known is not None:
                known.guide = guide or known.guide
            elif guide and self.left_out.may_write(untaken.code, untaken.frame):
                self._wanted[id(first)] = _Wanted(guide)

    def find_guide(self) -> Guide | None:
        """Return the decisions of a run to what is wanted, None if nothing is or it would be the first run again."""
        guide: dict[Decision, int] = {}
        for key, wanted in self._wanted.items():
            if key in self.executed or wanted.attempts == ATTEMPTS:
                continue
            if all(guide.get(decision, option) == option for decision, option in wanted.guide.items()):
                wanted.attempts += 1
                guide.update(wanted.guide)
        return guide if self._met is not None and not self._met.isdisjoint(guide) else None


def _find_way(machine: Machine, untaken: Untaken) -> dict[Decision, int]:
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
