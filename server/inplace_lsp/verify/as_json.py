"""A verdict as plain data: the JSON of `inplace-lsp verify`, rows and columns 1-based."""

from __future__ import annotations

from typing import TypedDict

from inplace_lsp.tape.codec import event_to_plain
from inplace_lsp.tape.model import Span
from inplace_lsp.tape.plain import Plain
from inplace_lsp.verify.verdict import Verdict, Violation

PROGRAM = "program"


class PositionJson(TypedDict):
    """A position, both counted from 1."""

    row: int
    column: int


class PlaceJson(TypedDict):
    """A place in a file, end exclusive."""

    filename: str
    location: PositionJson
    end_location: PositionJson


class ViolationJson(TypedDict):
    """A write and what it broke."""

    code: str
    written: PlaceJson
    saved: PlaceJson | None
    expected_version: int | None
    found_version: int | None
    op: str


class VerdictJson(TypedDict, total=False):
    """A verdict. `install` is there if a command would help, `filename` where several files are verified; one that was
    lost on its way has only that, `function`, `verdict` and `reason`."""

    filename: str
    function: str
    verdict: str
    reason: str
    inputs: dict[str, Plain]
    error: str | None
    violations: list[ViolationJson]
    trace: list[dict[str, Plain]]
    torch: str
    device: str
    seed: int
    seconds: float
    notes: list[str]
    install: str


def as_json(verdict: Verdict) -> VerdictJson:
    """Return the verdict as dictionaries, lists, strings and numbers. A program is its own call-site."""
    source = "call-site" if verdict.source == PROGRAM else verdict.source
    written: VerdictJson = {
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
    }
    if verdict.install:
        written["install"] = verdict.install
    return written


def _containment_words(verdict: Verdict) -> list[str]:
    """Return a description of what confined the code to its own folder."""
    if not verdict.held_back_by:
        return []
    *most, last = verdict.held_back_by
    walls = f"{', '.join(most)} and {last}" if most else last
    return [f"outside of the run's own folder it was held back by {walls}"]


def _missing_as_json(verdict: Verdict) -> dict[str, Plain]:
    """Return the directive to fill in, and where to insert it, if nothing was found to run with."""
    missing = verdict.missing
    if missing is None:
        return {}
    place = {"row": missing.row, "column": missing.column + 1}
    return {"missing": {"message": missing.what, "directive": missing.directive, "location": place}}


def _violation_as_json(violation: Violation) -> ViolationJson:
    return {
        "code": violation.code,
        "written": _place_as_json(violation.written),
        "saved": None if violation.saved is None else _place_as_json(violation.saved),
        "expected_version": violation.expected_version,
        "found_version": violation.found_version,
        "op": violation.op,
    }


def _place_as_json(span: Span) -> PlaceJson:
    return {
        "filename": span.file,
        "location": {"row": span.row, "column": span.column + 1},
        "end_location": {"row": span.end_row, "column": span.end_column + 1},
    }
