"""Explain why a predicted hazard did not show in a complete run: what its tape lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.registry import find_hazard
from inplace_lsp.tape.model import Backward, Reject, Save, Span, Tape, Write

SHOWN = 2
"""Maximum number of reasons that are given."""
_Names = Mapping[int, frozenset[str]]
At = TypeVar("At", Write, Save)


def explain_absence(foretold: Iterable[Finding], tape: Tape, text: str) -> str:
    """Return why the findings in `text` did not show, the most severe first; "" if the tape does not tell."""
    ordered = sorted(foretold, key=lambda finding: finding.severity == "hint")
    names = _names_by_row(text)
    reasons = dict.fromkeys(reason for finding in ordered if (reason := _explain_finding(finding, tape, names)))
    return "; ".join(list(reasons)[:SHOWN])


def _explain_finding(finding: Finding, tape: Tape, names: _Names) -> str:
    row = finding.span.row
    hazard = find_hazard(finding.code)
    if hazard is None:
        return ""
    if hazard.is_at_backward:
        return _explain_second_backward(row, tape)
    writes = _events_at(tape.events_of(Write), [finding.span])
    if not writes and all(event.span.row != row for _, event in tape.events_of(Reject)):
        return _tell_apart(finding, names) or f"line {row} was not reached, or wrote nothing that an op had saved"
    if hazard.absence:
        return f"what line {row} wrote {hazard.absence}"
    return _explain_by_saves(finding, tape, names, writes) if hazard.is_write_to_saved else ""


def _explain_second_backward(row: int, tape: Tape) -> str:
    walked = any(event.span.row == row and not event.assumed for _, event in tape.events_of(Backward))
    return f"line {row} ran no second backward through the same graph" if walked else f"line {row} ran no backward"


def _explain_by_saves(finding: Finding, tape: Tape, names: _Names, writes: Sequence[tuple[int, Write]]) -> str:
    """Return what was missing between the save, the write and the backward."""
    row = finding.span.row
    places = finding.places_of("saved")
    saves = _events_at(tape.events_of(Save), places)
    where = f"line {places[0].row}" if places else "the op before"
    if not saves:
        return f"{where} saved nothing with these inputs: its result needs no gradient"
    shared = [(kept, at) for at, write in writes for kept in saves if kept[1].tensor.storage == write.tensor.storage]
    if not shared:
        return _tell_apart(finding, names) or f"what line {row} wrote was not the tensor that {where} had saved"
    late = [kept for kept, at in shared if kept[0] < at]
    if not late:
        return "the function was called once; the finding needs its result passed to it again"
    checks = [check for _, save in late for _, check in tape.checks_by_save.get(save.key, ())]
    if not checks:
        return f"no backward used what {where} had saved"
    if any(check.changed is not False for check in checks):
        return ""
    if all(tape.is_unchecked(save) for _, save in late):
        return f"what {where} saved was computed again or copied: the backward got it as it was before the write"
    return "the write changed no value with these inputs"


def _tell_apart(finding: Finding, names: _Names) -> str:
    """Return which inputs would have to be the same tensor: what is written is one, what was kept another."""
    written = names.get(finding.span.row, frozenset())
    kept = frozenset[str]().union(*(names.get(place.row, frozenset()) for place in finding.places_of("saved")))
    if not written or not kept or written & kept:
        return ""
    listed = "`, `".join(sorted(kept | written))
    return f"inputs `{listed}` were different tensors; the finding needs the same one"


def _names_by_row(text: str) -> _Names:
    """Return the parameters that each plain statement of a function names, by its first row."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found: dict[int, frozenset[str]] = {}
    for function in (child for child in ast.walk(tree) if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)):
        arguments = function.args
        given = {parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)} - {
            "self"
        }
        for node in (
            child for child in ast.walk(function) if isinstance(child, ast.stmt) and not hasattr(child, "body")
        ):
            named = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
            found[node.lineno] = frozenset(named & given)
    return found


def _events_at(events: Iterable[tuple[int, At]], places: Sequence[Span]) -> list[tuple[int, At]]:
    return list(_find_at_rows(events, {(place.file, place.row) for place in places}))


def _find_at_rows(events: Iterable[tuple[int, At]], rows: set[tuple[str, int]]) -> Iterator[tuple[int, At]]:
    for at, event in events:
        if any((event.span.file, row) in rows for row in range(event.span.row, event.span.end_row + 1)):
            yield at, event
