"""The places of a project that explain an error of torch's, the likeliest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inplace_lsp.hazards.finding import Related, Sources
from inplace_lsp.tape.model import Span
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.evidence import Evidence, find_line, list_user_frames, weigh_clue
from inplace_lsp.why.frames import resolve_frames
from inplace_lsp.why.message import Frame, TorchError

LEAST = -25.0
"""Minimum score of a candidate."""
MOST = 10
"""Maximum number of candidates that are reported."""
AGAINST = -10.0
"""Maximum weight of evidence that counts as evidence against a candidate."""
MUCH_WORSE = 60.0
"""Maximum difference from the best score: candidates further below are not reported."""
OF_A_COPY = 0.5
"""Score of each further copy of a statement among the candidates: it only breaks ties."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may be to blame, and why."""

    code: str
    """The hazard; "" if it is none."""
    span: Span
    message: str
    reasons: tuple[str, ...]
    related: tuple[Related, ...] = ()
    function: str = ""
    score: float = 0.0
    is_finding: bool = False
    """Whether `check` has a finding there, which may be repaired."""
    certainty: Literal["error", "hint", ""] = ""
    """`error`: the finding assumes nothing, and the message does not contradict it. `hint`: the finding is one."""


def rank_candidates(
    error: TorchError, clues: Iterable[Clue], files: Iterable[str], sources: Sources
) -> list[Candidate]:
    """Return the candidates for `error`. `files` are all files of the project."""
    error = _resolve_error(error, list(files))
    best: dict[tuple[str, int], Candidate] = {}
    for clue in clues:
        if clue.code not in error.codes:
            continue
        candidate = _build_candidate(clue, weigh_clue(clue, error, sources))
        key = clue.span.file, clue.span.row
        if candidate.score > LEAST and (key not in best or candidate.score > best[key].score):
            best[key] = candidate
    for raised in _find_raising_line(error, sources):
        best.setdefault((raised.span.file, raised.span.row), raised)
    ordered = _order_candidates(_score_copies(best.values(), sources))
    enough = ordered[0].score - MUCH_WORSE if ordered else 0.0
    return [item for item in ordered if item.score >= enough][:MOST]


def _order_candidates(found: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates, the best first; errors of `check` that fit come before all hints."""
    candidates = list(found)
    best_hint = max((item.score for item in candidates if item.certainty == "hint"), default=LEAST)
    raised = (
        replace(item, score=max(item.score, best_hint)) if item.certainty == "error" else item for item in candidates
    )
    return sorted(raised, key=lambda item: (-item.score, item.certainty != "error", item.span))


def _score_copies(candidates: Iterable[Candidate], sources: Sources) -> Iterator[Candidate]:
    """Yield the candidates, raising the score of those whose statement occurs in several."""
    found = list(candidates)
    texts = Counter(_statement_key(clue, sources) for clue in found)
    for clue in found:
        copies = texts[_statement_key(clue, sources)] - 1
        copy_reasons = (f"the same statement appears in {copies} more candidate{'s' * (copies > 1)}",) if copies else ()
        yield replace(clue, score=clue.score + copies * OF_A_COPY, reasons=(*clue.reasons, *copy_reasons))


def _statement_key(candidate: Candidate, sources: Sources) -> tuple[str, str, float]:
    return candidate.code, find_line(sources, candidate.span.file, candidate.span.row), candidate.score


def _resolve_error(error: TorchError, files: Sequence[str]) -> TorchError:
    """Return `error` with its tracebacks in the files of the project."""
    return replace(error, frames=resolve_frames(error.frames, files), forward=resolve_frames(error.forward, files))


def _build_candidate(clue: Clue, evidence: tuple[Evidence, ...]) -> Candidate:
    ordered = sorted((item for item in evidence if item.words), key=lambda item: -item.weight)
    is_error = clue.severity == "error" and all(item.weight > AGAINST for item in evidence)
    assuming = (f"assuming that {'; '.join(clue.assumptions)}",) if clue.assumptions else ()
    return Candidate(
        clue.code,
        clue.span,
        clue.message,
        (*(item.words for item in ordered), *assuming),
        clue.related,
        clue.function,
        sum(item.weight for item in evidence),
        clue.severity is not None,
        "error" if is_error else "hint" if clue.severity == "hint" else "",
    )


_RAISED_AT_ONCE = {
    "leaf": "torch refuses to write the leaf that this line writes.",
    "view-of-leaf": "torch refuses to write the view of a leaf that this line writes.",
    "multi-view": "torch refuses this line: it writes one of several views, or uses one whose memory was written.",
    "no-grad-view": "torch refuses this line: it writes a view made under no_grad, or uses one that was written.",
    "inference": "torch refuses what this line does with an inference tensor.",
    "overlap": "torch refuses to write the overlapping memory that this line writes.",
    "freed": "this backward goes through a graph that an earlier one has freed.",
}
_UNDER_VMAP = (
    "`vmap` refuses this line: it writes values that differ between the samples into a tensor that all of them share. "
    "Make that tensor from one of the sample's own (`x.new_zeros(...)`), or write out of place."
)


def _find_raising_line(error: TorchError, sources: Sources) -> Iterator[Candidate]:
    """Yield the line on which torch raised, where that line is to blame whatever the tapes say."""
    message = _UNDER_VMAP if error.of_vmap else _RAISED_AT_ONCE.get(error.kind)
    last = list_user_frames(error.frames)[-1:]
    if message is None or not last:
        return
    frame = last[0]
    if not frame.is_resolved:
        return
    file = frame.file
    row = _find_row(frame, sources[file])
    if row is None:
        return
    lines = sources[file]
    span = Span(file, row, 0, row, len(lines[row - 1]) if row <= len(lines) else 0)
    score = 5.0 if error.of_base else 40.0  # where the base was written it does not say
    reasons = ("the traceback ends on this line", *(() if error.of_vmap else ("the analysis did not predict it",)))
    yield Candidate(next(iter(error.codes), ""), span, message, reasons, function=frame.function, score=score)


def _find_row(frame: Frame, lines: Sequence[str]) -> int | None:
    """Return the current row of the line, which an edit may have moved; None if it is gone."""
    if not frame.source:
        return frame.row
    rows = [row for row, line in enumerate(lines, start=1) if line.strip() == frame.source]
    return min(rows, key=lambda row: abs(row - frame.row), default=None)
