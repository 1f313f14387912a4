"""Answer "why this error": what the message says, the candidates, and what was not understood."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.hazards.finding import Sources
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.gather import FileClues
from inplace_lsp.why.message import TorchError
from inplace_lsp.why.ranking import Candidate, rank_candidates


@dataclass(frozen=True, slots=True)
class Unreached:
    """A place of the project of which the analysis knows nothing, and why."""

    filename: str
    row: int
    function: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """`error` is the one that the candidates explain; `others` are in the text, too."""

    error: TorchError
    others: tuple[TorchError, ...]
    candidates: tuple[Candidate, ...]
    unreached: tuple[Unreached, ...]
    files: int


def explain_errors(errors: Sequence[TorchError], found: Sequence[FileClues], sources: Sources) -> Answer:
    """Rank what was found in the files for the first of `errors` that anything explains."""
    clues = _mark_local_clues([clue for file in found for clue in file.clues])
    names = [file.filename for file in found]
    unreached = tuple(dict.fromkeys(place for file in found for place in _list_unreached_places(file)))
    for error in errors:
        candidates = rank_candidates(error, clues, names, sources)
        if candidates:
            others = tuple(other for other in errors if other is not error)
            return Answer(error, others, tuple(candidates), unreached, len(found))
    return Answer(errors[0], tuple(errors[1:]), (), unreached, len(found))


def _mark_local_clues(clues: Sequence[Clue]) -> list[Clue]:
    """Return the clues, each local if the analysis of another file found save and write in one function."""
    local = {(clue.span, clue.saved) for clue in clues if clue.is_local}
    return [replace(clue, is_local=(clue.span, clue.saved) in local) for clue in clues]


def _list_unreached_places(clues: FileClues) -> Iterable[Unreached]:
    """Yield the statements never reached, the functions not analysed, and the file if nothing of it was."""
    if clues.error:
        yield Unreached(clues.filename, 1, "the file", clues.error)
    for gap in clues.gaps:
        yield from _list_places_of_gap(gap)


def _list_places_of_gap(gap: NotAnalysed) -> Iterable[Unreached]:
    if gap.unreached:
        for span in gap.unreached:
            yield Unreached(span.file, span.row, gap.function, gap.reason)
    elif gap.cut or not gap.partly:
        yield Unreached(gap.span.file, gap.span.row, gap.function, gap.reason)
