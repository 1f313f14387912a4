"""The answer to "why this error" as plain data."""

from __future__ import annotations

from typing import Any

from inplace_lsp.report.as_json import place_json
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.report.why_cells import in_words_of_cells
from inplace_lsp.why.answer import Answer
from inplace_lsp.why.message import TorchError
from inplace_lsp.why.ranking import Candidate


def why_json(answer: Answer, notebooks: Notebooks | None = None) -> dict[str, Any]:
    """The error, the candidates by rank, and what was not understood of the project. Places in a notebook name their
    `cell`, and count its rows."""
    known = notebooks or {}
    return {
        "error": _error(answer.error),
        "candidates": [_candidate(rank, one, known) for rank, one in enumerate(answer.candidates, start=1)],
        "unreached": [f"{one.filename}:{one.row} {one.function}: {one.reason}" for one in answer.unreached],
    }


def _error(error: TorchError) -> dict[str, Any]:
    return {
        "kind": error.kind,
        "op": error.op,
        "output": error.output,
        "shape": None if error.shape is None else list(error.shape),
        "found": error.found,
        "expected": error.expected,
    }


def _candidate(rank: int, candidate: Candidate, notebooks: Notebooks) -> dict[str, Any]:
    words = in_words_of_cells(candidate, notebooks)
    return {
        "rank": rank,
        "code": candidate.code,
        **place_json(candidate.span, notebooks),
        "message": words.message,
        "reasons": list(words.reasons),
        "related": [
            {"role": one.role, "message": one.message, **place_json(one.span, notebooks)} for one in words.related
        ],
    }
