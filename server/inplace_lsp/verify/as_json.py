"""A verdict as plain data: the JSON of `inplace-lsp verify`, rows and columns 1-based."""

from __future__ import annotations

from typing import Any

from inplace_lsp.tape.codec import event_to_plain
from inplace_lsp.tape.model import Span
from inplace_lsp.verify.verdict import Verdict, Violation

PROGRAM = "program"


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as dictionaries, lists, strings and numbers. A program is its own call-site."""
    source = "call-site" if verdict.source == PROGRAM else verdict.source
    return {
        "function": verdict.function,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "inputs": {"source": source, "arguments": dict(verdict.arguments), **_missing_as_json(verdict)},
        "error": verdict.error,
        "violations": [_violation_as_json(violation) for violation in verdict.violations],
        "trace": [event_to_plain(event) for event in verdict.tape.events] if verdict.tape else [],
        "torch": verdict.torch,
        "device": verdict.device,
        "seed": verdict.seed,
        "seconds": verdict.seconds,
        "notes": [*verdict.notes, *_containment_words(verdict)],
        **({"install": verdict.install} if verdict.install else {}),
    }


def _containment_words(verdict: Verdict) -> list[str]:
    """Return a description of what confined the code's writes to its own folder."""
    if not verdict.held_back_by:
        return []
    return [f"writes outside of the run's own folder were held back by {' and '.join(verdict.held_back_by)}"]


def _missing_as_json(verdict: Verdict) -> dict[str, Any]:
    """Return the directive to fill in, and where to insert it, if nothing was found to run with."""
    missing = verdict.missing
    if missing is None:
        return {}
    place = {"row": missing.row, "column": missing.column + 1}
    return {"missing": {"message": missing.what, "directive": missing.directive, "location": place}}


def _violation_as_json(violation: Violation) -> dict[str, Any]:
    return {
        "code": violation.code,
        "written": _place_as_json(violation.written),
        "saved": None if violation.saved is None else _place_as_json(violation.saved),
        "expected_version": violation.expected_version,
        "found_version": violation.found_version,
        "op": violation.op,
    }


def _place_as_json(span: Span) -> dict[str, Any]:
    return {
        "filename": span.file,
        "location": {"row": span.row, "column": span.column + 1},
        "end_location": {"row": span.end_row, "column": span.end_column + 1},
    }
