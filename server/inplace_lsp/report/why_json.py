"""The answer to "why this error" as plain data."""

from __future__ import annotations

from typing import Any

from inplace_lsp.report.as_json import place_json
from inplace_lsp.report.outcome import Notebooks
from inplace_lsp.report.why_cells import reword_for_cells
from inplace_lsp.why.answer import Answer
from inplace_lsp.why.message import TorchError
from inplace_lsp.why.ranking import Candidate


def why_json(answer: Answer, notebooks: Notebooks | None = None) -> dict[str, Any]:
    """Return the error, the candidates by rank, and what was not understood. A place in a notebook names its `cell` and
    counts its rows."""
    known = notebooks or {}
    return {
        "error": _error_as_json(answer.error),
        "candidates": [_candidate_as_json(rank, found, known) for rank, found in enumerate(answer.candidates, start=1)],
        "unreached": [f"{gap.filename}:{gap.row} {gap.function}: {gap.reason}" for gap in answer.unreached],
    }


def _error_as_json(error: TorchError) -> dict[str, Any]:
    return {
        "kind": error.kind,
        "op": error.op,
        "output": error.output,
        "shape": None if error.shape is None else list(error.shape),
        "found": error.found,
        "expected": error.expected,
    }


def _candidate_as_json(rank: int, candidate: Candidate, notebooks: Notebooks) -> dict[str, Any]:
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
