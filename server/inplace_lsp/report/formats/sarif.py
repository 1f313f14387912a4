"""SARIF 2.1.0, for code scanning. A code flow leads from the save over the write to the backward.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; tests validate the logs by its JSON schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TextIO

from inplace_lsp.explanations import find_explanation
from inplace_lsp.hazards.finding import NO_HAZARDS, Finding, Fix, Role, Severity
from inplace_lsp.hazards.registry import is_hazard
from inplace_lsp.report.outcome import Failure, Outcome
from inplace_lsp.report.paths import file_uri, shorten_paths, shown_path, uri_of
from inplace_lsp.report.urls import DOCS_URL, hazard_url
from inplace_lsp.tape.model import Span
from inplace_lsp.version import __version__

Json = dict[str, object]
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "inplaceLsp/v1"
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_BEFORE: tuple[Role, ...] = ("leaf", "alias", "view", "saved", "written")
"""The roles of related places that come before the finding, in the order of the run; `backward` comes after it."""


def write(outcome: Outcome, file: TextIO) -> None:
    """Write one log with one run."""
    log = {"version": "2.1.0", "$schema": SCHEMA, "runs": [_make_run(outcome)]}
    file.write(json.dumps(log, indent=2) + "\n")


def _make_run(outcome: Outcome) -> Json:
    codes = list(dict.fromkeys(finding.code for finding in outcome.findings))
    driver = {
        "name": "inplace-lsp",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": DOCS_URL,
        "rules": [_make_rule(code) for code in codes],
    }
    known_by = outcome.fingerprints()
    pairs = zip(outcome.findings, known_by, strict=True)
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"uri": file_uri(outcome.root).rstrip("/") + "/"}},
        "invocations": [_make_invocation(outcome)],
        "results": [_make_result(finding, codes.index(finding.code), mark, outcome) for finding, mark in pairs],
    }


def _make_rule(code: str) -> Json:
    page = find_explanation(code)
    if page is None:
        return {"id": code, "helpUri": hazard_url(code)}
    return {
        "id": code,
        "name": page.name,
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": page.summary},
        "help": {"text": page.page, "markdown": page.page},
        "helpUri": hazard_url(code),
        "properties": {"tags": ["maintainability" if code in NO_HAZARDS else "correctness", "pytorch", "autograd"]},
    }


def _make_invocation(outcome: Outcome) -> Json:
    problems = [_make_notification(failure, outcome) for failure in outcome.failures]
    return _drop_empty(executionSuccessful=not problems, toolExecutionNotifications=problems)


def _make_notification(failure: Failure, outcome: Outcome) -> Json:
    region = None if failure.place is None else {"startLine": failure.place.row}
    place = _drop_empty(artifactLocation=_make_artifact(failure.filename, outcome), region=region)
    locations = [{"physicalLocation": place}] if failure.filename else None
    return _drop_empty(level="error", message={"text": failure.reason}, locations=locations)


def _make_result(finding: Finding, rule: int, fingerprint: str, outcome: Outcome) -> Json:
    related = [
        {"id": number, **_make_location(place.span, outcome, message=place.message)}
        for number, place in enumerate(finding.related, start=1)
    ]
    return _drop_empty(
        ruleId=finding.code,
        ruleIndex=rule,
        level=_LEVELS[finding.severity],
        message={"text": shorten_paths(finding.message, outcome.root)},
        locations=[_make_location(finding.span, outcome)],
        relatedLocations=related,
        codeFlows=[_make_flow(finding, outcome)] if related else None,
        fixes=None if finding.fix is None or not finding.fix.edits else [_make_fix(finding.fix, outcome)],
        partialFingerprints={FINGERPRINT: fingerprint},
        properties={"severity": finding.severity, "assumptions": list(finding.assumptions)},
    )


def _make_flow(finding: Finding, outcome: Outcome) -> Json:
    steps = [
        {
            "location": _make_location(span, outcome, message=message),
            "executionOrder": order,
            "importance": "essential" if span == finding.span else "important",
        }
        for order, (span, message) in enumerate(_steps_in_order(finding), start=1)
    ]
    return {"threadFlows": [{"locations": steps}]}


def _steps_in_order(finding: Finding) -> Iterator[tuple[Span, str]]:
    """Yield the places of a finding in the order of the run."""
    before = [related for role in _BEFORE for related in finding.related if related.role == role]
    walks = [related for related in finding.related if related.role == "backward"]
    if is_hazard(finding.code, lambda hazard: hazard.is_at_backward):  # the related backward is the first one
        before, walks = [*before, *walks], []
    yield from ((statement.span, statement.message) for statement in before)
    yield finding.span, finding.message
    yield from ((walk.span, walk.message) for walk in walks)


def _make_fix(fix: Fix, outcome: Outcome) -> Json:
    files = dict.fromkeys(edit.span.file for edit in fix.edits)
    changes = [
        {
            "artifactLocation": _make_artifact(file, outcome),
            "replacements": [
                _drop_empty(
                    deletedRegion=_make_region(edit.span),
                    insertedContent={"text": edit.content} if edit.content else None,
                )
                for edit in fix.edits
                if edit.span.file == file
            ],
        }
        for file in files
    ]
    return {"description": {"text": f"{fix.message} ({fix.applicability})"}, "artifactChanges": changes}


def _make_location(span: Span, outcome: Outcome, *, message: str = "") -> Json:
    place = {"artifactLocation": _make_artifact(span.file, outcome), "region": _make_region(span)}
    words = {"text": shorten_paths(message, outcome.root)} if message else None
    return _drop_empty(physicalLocation=place, message=words)


def _make_region(span: Span) -> Json:
    return {
        "startLine": span.row,
        "startColumn": span.column + 1,
        "endLine": span.end_row,
        "endColumn": span.end_column + 1,
    }


def _make_artifact(file: str, outcome: Outcome) -> Json:
    inside = shown_path(file, outcome.root) != file
    return _drop_empty(uri=uri_of(file, outcome.root), uriBaseId=ROOT if inside else None)


def _drop_empty(**properties: object) -> Json:
    """Return an object of the properties that have a value: the schema allows no null."""
    return {name: value for name, value in properties.items() if value is not None and value != []}
