"""A verdict as plain data: the JSON of `inplace-lsp verify`, rows and columns 1-based."""

from __future__ import annotations

from typing import Any

from inplace_lsp.tape.codec import event_to_plain
from inplace_lsp.tape.model import Span
from inplace_lsp.verify.verdict import Verdict, Violation

PROGRAM = "program"


def as_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as dictionaries, lists, strings and numbers. A program is its own call-site."""
    source = "call-site" if verdict.source == PROGRAM else verdict.source
    return {
        "function": verdict.function,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "inputs": {"source": source, "arguments": dict(verdict.arguments), **_missing(verdict)},
        "error": verdict.error,
        "violations": [_violation(one) for one in verdict.violations],
        "trace": [event_to_plain(event) for event in verdict.tape.events] if verdict.tape else [],
        "torch": verdict.torch,
        "device": verdict.device,
        "seed": verdict.seed,
        "seconds": verdict.seconds,
        "notes": [*verdict.notes, *_containment(verdict)],
    }


def _containment(verdict: Verdict) -> list[str]:
    """What kept the code's writes in its own folder, in words."""
    if not verdict.held_back_by:
        return []
    return [f"writes outside of the run's own folder were held back by {' and '.join(verdict.held_back_by)}"]


def _missing(verdict: Verdict) -> dict[str, Any]:
    """The directive to fill in, and where to insert it, if nothing was found to run with."""
    one = verdict.missing
    if one is None:
        return {}
    place = {"row": one.row, "column": one.column + 1}
    return {"missing": {"message": one.what, "directive": one.directive, "location": place}}


def _violation(one: Violation) -> dict[str, Any]:
    return {
        "code": one.code,
        "written": _place(one.written),
        "saved": None if one.saved is None else _place(one.saved),
        "expected_version": one.expected_version,
        "found_version": one.found_version,
        "op": one.op,
    }


def _place(span: Span) -> dict[str, Any]:
    return {
        "filename": span.file,
        "location": {"row": span.row, "column": span.column + 1},
        "end_location": {"row": span.end_row, "column": span.end_column + 1},
    }
