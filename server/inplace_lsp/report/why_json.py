"""The answer to "why this error" as plain data."""

from __future__ import annotations

from typing import Any

from inplace_lsp.report.as_json import place_json
from inplace_lsp.why.answer import Answer
from inplace_lsp.why.message import TorchError
from inplace_lsp.why.ranking import Candidate


def why_json(answer: Answer) -> dict[str, Any]:
    """The error, the candidates by rank, and what was not understood of the project."""
    return {
        "error": _error(answer.error),
        "candidates": [_candidate(rank, one) for rank, one in enumerate(answer.candidates, start=1)],
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


def _candidate(rank: int, candidate: Candidate) -> dict[str, Any]:
    return {
        "rank": rank,
        "code": candidate.code,
        **place_json(candidate.span),
        "message": candidate.message,
        "reasons": list(candidate.reasons),
        "related": [{"role": one.role, "message": one.message, **place_json(one.span)} for one in candidate.related],
    }
