"""The places of a project that explain an error of torch's, the likeliest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from inplace_lsp.hazards.finding import Related, Sources
from inplace_lsp.tape.model import Span
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.evidence import Evidence, line_of, users_frames, weigh
from inplace_lsp.why.frames import resolved
from inplace_lsp.why.message import Frame, TorchError

LEAST = -25.0
"""What has more against it than this explains nothing."""
MOST = 10
"""So many candidates are told."""
MUCH_WORSE = 60.0
"""What fits so much worse than the best candidate is not told."""
OF_A_COPY = 0.5
"""What each further copy of a statement among the candidates counts: it only decides between equals."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may be to blame, and why. `is_finding`: `check` finds something there, so it may be repaired."""

    code: str
    span: Span
    message: str
    reasons: tuple[str, ...]
    related: tuple[Related, ...] = ()
    function: str = ""
    score: float = 0.0
    is_finding: bool = False


def rank(error: TorchError, clues: Iterable[Clue], files: Iterable[str], sources: Sources) -> list[Candidate]:
    """The candidates for `error`. `files` are all files of the project."""
    error = _resolved(error, list(files))
    best: dict[tuple[str, int], Candidate] = {}
    for clue in clues:
        if clue.code not in error.codes:
            continue
        candidate = _candidate(clue, weigh(clue, error, sources))
        key = clue.span.file, clue.span.row
        if candidate.score > LEAST and (key not in best or candidate.score > best[key].score):
            best[key] = candidate
    for raised in _where_it_was_raised(error, sources):
        best.setdefault((raised.span.file, raised.span.row), raised)
    ordered = sorted(_with_copies(best.values(), sources), key=lambda one: (-one.score, one.span))
    enough = ordered[0].score - MUCH_WORSE if ordered else 0.0
    return [one for one in ordered if one.score >= enough][:MOST]


def _with_copies(candidates: Iterable[Candidate], sources: Sources) -> Iterator[Candidate]:
    """The candidates; one whose statement stands in several of them comes a little before one that is alone."""
    found = list(candidates)
    texts = Counter(_statement(one, sources) for one in found)
    for one in found:
        copies = texts[_statement(one, sources)] - 1
        told = (f"the same statement stands in {copies} more of the candidates",) if copies else ()
        yield replace(one, score=one.score + copies * OF_A_COPY, reasons=(*one.reasons, *told))


def _statement(candidate: Candidate, sources: Sources) -> tuple[str, str, float]:
    return candidate.code, line_of(sources, candidate.span.file, candidate.span.row), candidate.score


def _resolved(error: TorchError, files: Sequence[str]) -> TorchError:
    """`error`, its tracebacks through the files of the project."""
    return replace(error, frames=resolved(error.frames, files), forward=resolved(error.forward, files))


def _candidate(clue: Clue, evidence: tuple[Evidence, ...]) -> Candidate:
    ordered = sorted((one for one in evidence if one.words), key=lambda one: -one.weight)
    assuming = (f"assuming that {'; '.join(clue.assumptions)}",) if clue.assumptions else ()
    return Candidate(
        clue.code,
        clue.span,
        clue.message,
        (*(one.words for one in ordered), *assuming),
        clue.related,
        clue.function,
        sum(one.weight for one in evidence),
        clue.severity is not None,
    )


_RAISED_AT_ONCE = {
    "leaf": "torch refuses to write the leaf that this line writes.",
    "view-of-leaf": "torch refuses to write the view of a leaf that this line writes.",
    "multi-view": "torch refuses this line: it writes one of several views, or uses one whose memory was written.",
    "no-grad-view": "torch refuses this line: it writes a view made under no_grad, or uses one that was written.",
    "inference": "torch refuses what this line does with an inference tensor.",
    "overlap": "torch refuses to write the overlapping memory that this line writes.",
    "freed": "this backward walks a graph that an earlier one has freed.",
}


def _where_it_was_raised(error: TorchError, sources: Sources) -> Iterator[Candidate]:
    """The line on which torch raised, where that is the one to blame, whatever the tapes say of it."""
    message = _RAISED_AT_ONCE.get(error.kind)
    last = users_frames(error.frames)[-1:]
    if message is None or not last:
        return
    frame = last[0]
    if not frame.is_resolved:
        return
    file = frame.file
    row = _row_of(frame, sources[file])
    if row is None:
        return
    lines = sources[file]
    span = Span(file, row, 0, row, len(lines[row - 1]) if row <= len(lines) else 0)
    score = 5.0 if error.of_base else 40.0  # where the base was written it does not say
    reasons = ("the traceback ends on this line", "the tapes of the analysis do not show it")
    yield Candidate(error.codes[0], span, message, reasons, function=frame.function, score=score)


def _row_of(frame: Frame, lines: Sequence[str]) -> int | None:
    """Where the line stands today: an edit since may have moved it. None if it is gone."""
    if not frame.source:
        return frame.row
    rows = [row for row, line in enumerate(lines, start=1) if line.strip() == frame.source]
    return min(rows, key=lambda row: abs(row - frame.row), default=None)
