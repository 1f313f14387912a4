"""Name the writes near a hazard that may stay, so that a reader does not remove them, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from inplace_lsp.hazards import registry
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.parts import is_by_backward, name_writer
from inplace_lsp.report.safe_writes import Place, find_tapes_around, find_writes_at
from inplace_lsp.tape.model import Actor, Span, Tape, Write

MOST = 3
"""Maximum number of writes to name."""


class Neighbours:
    """The writes of a file that no finding blames."""

    def __init__(self, tapes: Iterable[Tape], findings: Iterable[Finding]) -> None:
        self._tapes = list(tapes)
        self._found = [finding.span for finding in findings]
        self._blamed: dict[int, list[Span]] = {}

    def find_writes(self, place: Place) -> tuple[Tape, list[Write]] | None:
        """Return the tape of the write at a place, and the user's other writes in its function that no finding blames,
        one for each row; None if there is no such tape. Findings that a comment hides count, too."""
        tapes = find_tapes_around(self._tapes, place)
        tape = next((tape for tape, _ in find_writes_at(tapes, place.file, place.row)), None)
        if tape is None:
            return None
        blamed = (span for each in tapes for span in self._find_blamed_places(each))
        judged = {place.row, *_list_rows_in((*blamed, *self._found), place.file)}
        return tape, list(_list_writes(tape, place, judged))[:MOST]

    def _find_blamed_places(self, tape: Tape) -> list[Span]:
        """Return the places of all findings of a tape; each tape is searched once."""
        if id(tape) not in self._blamed:
            self._blamed[id(tape)] = [finding.span for finding in registry.find_all(tape)]
        return self._blamed[id(tape)]


def _list_rows_in(spans: Iterable[Span], file: str) -> Iterator[int]:
    for span in spans:
        yield from range(span.row, span.end_row + 1) if span.file == file else ()


def _list_writes(tape: Tape, place: Place, judged: Iterable[int]) -> Iterator[Write]:
    seen = set(judged)
    for _, write in tape.events_of(Write):
        if write.actor is Actor.CODE and place.is_around(write.span) and write.span.row not in seen:
            if not is_by_backward(write):
                yield write
            seen.add(write.span.row)


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
        f"{_quote(name)} on {_list_rows([write.span.row for write in those])}"
        for name, those in groupby(ordered, key=name_writer)
    ]
    old = "what it overwrites" if len(writes) == 1 else "what they overwrite"
    return f"{' and '.join(sentences)} may stay: no backward in sight needs {old}"


def _quote(name: str) -> str:
    return name if " " in name else f"`{name}`"


def _list_rows(rows: Sequence[int]) -> str:
    if len(rows) == 1:
        return f"line {rows[0]}"
    return f"lines {', '.join(map(str, rows[:-1]))} and {rows[-1]}"
