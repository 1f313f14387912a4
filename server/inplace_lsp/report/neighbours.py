"""Name the writes near a hazard that may stay, so that a reader does not remove them, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby, islice

from inplace_lsp.hazards import registry
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.parts import is_by_backward, name_writer
from inplace_lsp.report.safe_writes import Place, TapesByRow
from inplace_lsp.tape.model import Actor, Span, Tape, Write

MOST = 3
"""Maximum number of writes to name."""


class Neighbours:
    """The writes of a file that no finding blames. What concerns a whole function is found once for all its findings,
    what concerns a whole tape once for all functions."""

    def __init__(self, tapes: Iterable[Tape], findings: Iterable[Finding]) -> None:
        self._tapes = TapesByRow(tapes)
        self._rows_of_findings = {(finding.span.file, row) for finding in findings for row in _list_rows(finding.span)}
        self._blamed: dict[int, list[Span]] = {}
        self._judged: dict[Place, frozenset[int]] = {}
        self._open: dict[tuple[int, Place], list[Write]] = {}

    def find_writes(self, place: Place) -> tuple[Tape, list[Write]] | None:
        """Return the tape of the write at a place, and the user's other writes in its function that no finding blames,
        one for each row; None if there is no such tape. Findings that a comment hides count, too."""
        tape = self._tapes.find_tape_of_write(place.file, place.row)
        if tape is None:
            return None
        others = (write for write in self._list_open_writes(tape, place.at_end()) if write.span.row != place.row)
        return tape, list(islice(others, MOST))

    def _list_open_writes(self, tape: Tape, function: Place) -> list[Write]:
        """Return the first writes of a tape in a function that no finding blames, one more than are named."""
        if (id(tape), function) not in self._open:
            writes = _list_writes(tape, function, self._find_judged_rows(function))
            unhidden = (write for write in writes if (function.file, write.span.row) not in self._rows_of_findings)
            self._open[id(tape), function] = list(islice(unhidden, MOST + 1))
        return self._open[id(tape), function]

    def _find_judged_rows(self, function: Place) -> frozenset[int]:
        """Return the rows that a finding of a tape with an event in the function blames."""
        if function not in self._judged:
            blamed = (span for tape in self._tapes.find_tapes_around(function) for span in self._find_blamed(tape))
            self._judged[function] = frozenset(
                row for span in blamed if span.file == function.file for row in _list_rows(span)
            )
        return self._judged[function]

    def _find_blamed(self, tape: Tape) -> list[Span]:
        """Return the places of all findings of a tape; each tape is searched once."""
        if id(tape) not in self._blamed:
            self._blamed[id(tape)] = [finding.span for finding in registry.find_all(tape)]
        return self._blamed[id(tape)]


def _list_rows(span: Span) -> range:
    return range(span.row, span.end_row + 1)


def _list_writes(tape: Tape, function: Place, judged: Set[int]) -> Iterator[Write]:
    """Yield the user's writes in a function, one for each row that is not judged."""
    seen: set[int] = set()
    for _, write in tape.events_of(Write):
        row = write.span.row
        if write.actor is Actor.CODE and function.is_around(write.span) and row not in judged and row not in seen:
            if not is_by_backward(write):
                yield write
            seen.add(row)


def add_neighbours(finding: Finding, neighbours: Neighbours, rows_at: Callable[[int], tuple[int, int]]) -> Finding:
    """Return a finding that is more than a hint with the nearby writes that may stay. `rows_at` returns the first and
    the last row of the function that contains a row."""
    span = finding.span
    if finding.severity == "hint" or not finding.op or registry.find_hazard(finding.code) is None:
        return finding
    found = neighbours.find_writes(Place(span.file, span.row, *rows_at(span.row)))
    return replace(finding, neighbours=_describe_writes(found[1])) if found and found[1] else finding


def _describe_writes(writes: Sequence[Write]) -> str:
    """Return a sentence without its full stop: "`relu_` on lines 3 and 5 may stay: no backward needs ..."."""
    ordered = sorted(writes, key=lambda write: (name_writer(write), write.span.row))
    sentences = [
        f"{_quote(name)} on {_say_rows([write.span.row for write in those])}"
        for name, those in groupby(ordered, key=name_writer)
    ]
    old = "what it overwrites" if len(writes) == 1 else "what they overwrite"
    return f"{' and '.join(sentences)} may stay: no backward in sight needs {old}"


def _quote(name: str) -> str:
    return name if " " in name else f"`{name}`"


def _say_rows(rows: Sequence[int]) -> str:
    if len(rows) == 1:
        return f"line {rows[0]}"
    return f"lines {', '.join(map(str, rows[:-1]))} and {rows[-1]}"
