"""The places that visible calls of a function reached, found in a time that grows with what they reached alone."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from inplace_lsp.interpret.entries.entry import find_entries
from inplace_lsp.interpret.entries.outcome import Outcome, Reached
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span


class ReachedPlaces:
    """What the entries of a file `reached`, by the functions that they called."""

    def __init__(self, units: Sequence[Unit], reached: Sequence[tuple[Outcome, Iterable[Reached]]]) -> None:
        self._reached = {id(outcome): frozenset(ways) for outcome, ways in reached}
        self._callers: dict[int, list[Outcome]] = defaultdict(list)
        self._readers: dict[int, list[Outcome]] = defaultdict(list)
        self._own: dict[int, list[Outcome]] = defaultdict(list)
        for outcome, _ in reached:
            self._own[outcome.definition].append(outcome)
            for called in outcome.called:
                self._callers[called].append(outcome)
            for read in outcome.read:
                if isinstance(read, int):
                    self._readers[read].append(outcome)
        self._times = Counter(way for ways in self._reached.values() for way in ways)
        file = reached[0][0].span.file
        self._wholes = sorted((entry.find_whole(file), id(entry.definition)) for entry in find_entries(units))
        self._starts = [(whole.row, whole.column) for whole, _ in self._wholes]

    def find_places(self, definition: int) -> frozenset[Span]:
        """Return the places that visible calls of the function reached, except those that other functions alone may
        have led to: a program that calls `test` and `train` may be cut before `train` reaches their common helper."""
        callers = self._callers.get(definition, ())
        familiar = {id(outcome): outcome for known in (self._readers, self._own) for outcome in known[definition]}
        times = Counter(way for outcome in familiar for way in self._reached[outcome])
        return frozenset(
            way.place
            for way in {way for outcome in callers for way in self._reached[id(outcome)]}
            if times[way] == self._times[way] and not self._is_elsewhere(way, familiar)
        )

    def _is_elsewhere(self, way: Reached, familiar: dict[int, Outcome]) -> bool:
        """Return whether the call through which it was reached is in a function that does not know this one."""
        if way.call is None:
            return False
        at = bisect_right(self._starts, (way.call.row, way.call.column)) - 1
        if at < 0 or not self._wholes[at][0].contains(way.call):
            return False
        return any(id(outcome) not in familiar for outcome in self._own.get(self._wholes[at][1], ()))
