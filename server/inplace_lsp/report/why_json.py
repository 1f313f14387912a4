"""The answer to "why this error" as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inplace_lsp.report.as_json import place_json
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.report.why_cells import reword_for_cells
from inplace_lsp.tape.plain import Plain
from inplace_lsp.why.answer import Answer
from inplace_lsp.why.message import TorchError
from inplace_lsp.why.ranking import Candidate


def why_json(
    answer: Answer, notebooks: Notebooks | None = None, places: Sequence[Mapping[str, Plain]] = ()
) -> dict[str, Plain]:
    """Return the error, the candidates by rank, and the code that was not analysed. A place in a notebook has its
    `cell` and the row in it. `places`: further properties for the place of each candidate."""
    known = notebooks or {}
    candidates = [_candidate_as_json(rank, found, known) for rank, found in enumerate(answer.candidates, start=1)]
    more = places or [{} for _ in candidates]
    return {
        "error": _error_as_json(answer.error),
        "candidates": [{**candidate, **place} for candidate, place in zip(candidates, more, strict=True)],
        "unreached": [f"{gap.filename}:{gap.row} {gap.function}: {gap.reason}" for gap in answer.unreached],
    }


def _error_as_json(error: TorchError) -> dict[str, Plain]:
    return {
        "kind": error.kind,
        "op": error.op,
        "output": error.output,
        "shape": None if error.shape is None else list(error.shape),
        "found": error.found,
        "expected": error.expected,
    }


def _candidate_as_json(rank: int, candidate: Candidate, notebooks: Notebooks) -> dict[str, Plain]:
    words = reword_for_cells(candidate, notebooks)
    return {
        "rank": rank,
        "code": candidate.code,
        **place_json(candidate.span, notebooks),
        "message": words.message,
        "reasons": list(words.reasons),
        "related": [
            {"role": related.role, "message": related.message, **place_json(related.span, notebooks)}
            for related in words.related
        ],
    }
