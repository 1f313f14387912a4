"""SARIF 2.1.0, for code scanning: the way from save to write to backward is a code flow.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; the objects are those of Microsoft's `sarif_om`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TextIO

import attrs
import sarif_om as om

from inplace_lsp import __version__
from inplace_lsp.explanations import find_explanation
from inplace_lsp.hazards.finding import NO_HAZARDS, Finding, Fix, Role, Severity
from inplace_lsp.report.outcome import Failure, Outcome
from inplace_lsp.report.paths import file_uri, shorten_paths, shown_path, uri_of
from inplace_lsp.report.urls import DOCS_URL, hazard_url
from inplace_lsp.tape.model import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "inplaceLsp/v1"
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_BEFORE: tuple[Role, ...] = ("leaf", "alias", "view", "saved", "written")
"""The roles of what comes before the place of a finding, in the order in which it happens; `backward` comes after."""
_WALKS = frozenset({"IP103"})
"""The codes of findings that lie at a backward themselves: the other backward is the one before."""


def write(outcome: Outcome, file: TextIO) -> None:
    """Write one log with one run."""
    log = om.SarifLog(version="2.1.0", schema_uri=SCHEMA, runs=[_make_run(outcome)])
    file.write(json.dumps(_as_plain_data(log), indent=2) + "\n")


def _make_run(outcome: Outcome) -> om.Run:
    codes = list(dict.fromkeys(finding.code for finding in outcome.findings))
    driver = om.ToolComponent(
        name="inplace-lsp",
        version=__version__,
        semantic_version=__version__,
        information_uri=DOCS_URL,
        rules=[_make_rule(code) for code in codes],
    )
    known_by = outcome.fingerprints()
    pairs = zip(outcome.findings, known_by, strict=True)
    return om.Run(
        tool=om.Tool(driver=driver),
        column_kind="unicodeCodePoints",
        original_uri_base_ids={ROOT: om.ArtifactLocation(uri=file_uri(outcome.root).rstrip("/") + "/")},
        invocations=[_make_invocation(outcome)],
        results=[_make_result(finding, codes.index(finding.code), mark, outcome) for finding, mark in pairs],
    )


def _make_rule(code: str) -> om.ReportingDescriptor:
    page = find_explanation(code)
    if page is None:
        return om.ReportingDescriptor(id=code, help_uri=hazard_url(code))
    return om.ReportingDescriptor(
        id=code,
        name=page.name,
        short_description=om.MultiformatMessageString(text=page.summary),
        full_description=om.MultiformatMessageString(text=page.summary),
        help=om.MultiformatMessageString(text=page.page, markdown=page.page),
        help_uri=hazard_url(code),
        properties={"tags": ["maintainability" if code in NO_HAZARDS else "correctness", "pytorch", "autograd"]},
    )


def _make_invocation(outcome: Outcome) -> om.Invocation:
    told = [_make_notification(failure, outcome) for failure in outcome.failures]
    return om.Invocation(execution_successful=not told, tool_execution_notifications=told or None)


def _make_notification(failure: Failure, outcome: Outcome) -> om.Notification:
    region = failure.place and om.Region(start_line=failure.place.row)
    place = om.PhysicalLocation(artifact_location=_make_artifact(failure.filename, outcome), region=region)
    locations = [om.Location(physical_location=place)] if failure.filename else None
    return om.Notification(level="error", message=om.Message(text=failure.reason), locations=locations)


def _make_result(finding: Finding, rule: int, fingerprint: str, outcome: Outcome) -> om.Result:
    related = [
        _make_location(related_place.span, outcome, message=related_place.message, number=number)
        for number, related_place in enumerate(finding.related, start=1)
    ]
    return om.Result(
        rule_id=finding.code,
        rule_index=rule,
        level=_LEVELS[finding.severity],
        kind="fail",
        message=om.Message(text=shorten_paths(finding.message, outcome.root)),
        locations=[_make_location(finding.span, outcome)],
        related_locations=related or None,
        code_flows=[_make_flow(finding, outcome)] if related else None,
        fixes=None if finding.fix is None or not finding.fix.edits else [_make_fix(finding.fix, outcome)],
        partial_fingerprints={FINGERPRINT: fingerprint},
        properties={"severity": finding.severity, "assumptions": list(finding.assumptions)},
    )


def _make_flow(finding: Finding, outcome: Outcome) -> om.CodeFlow:
    steps = [
        om.ThreadFlowLocation(
            location=_make_location(span, outcome, message=message),
            execution_order=order,
            importance="essential" if span == finding.span else "important",
        )
        for order, (span, message) in enumerate(_steps_in_order(finding), start=1)
    ]
    return om.CodeFlow(thread_flows=[om.ThreadFlow(locations=steps)])


def _steps_in_order(finding: Finding) -> Iterator[tuple[Span, str]]:
    """Yield the places of a finding in the order of the run."""
    before = [related for role in _BEFORE for related in finding.related if related.role == role]
    walks = [related for related in finding.related if related.role == "backward"]
    if finding.code in _WALKS:
        before, walks = [*before, *walks], []
    yield from ((statement.span, statement.message) for statement in before)
    yield finding.span, finding.message
    yield from ((walk.span, walk.message) for walk in walks)


def _make_fix(fix: Fix, outcome: Outcome) -> om.Fix:
    files = dict.fromkeys(edit.span.file for edit in fix.edits)
    changes = [
        om.ArtifactChange(
            artifact_location=_make_artifact(file, outcome),
            replacements=[
                om.Replacement(
                    deleted_region=_make_region(edit.span),
                    inserted_content=om.ArtifactContent(text=edit.content) if edit.content else None,
                )
                for edit in fix.edits
                if edit.span.file == file
            ],
        )
        for file in files
    ]
    described = om.Message(text=f"{fix.message} ({fix.applicability})")
    return om.Fix(description=described, artifact_changes=changes)


def _make_location(span: Span, outcome: Outcome, *, message: str = "", number: int = -1) -> om.Location:
    place = om.PhysicalLocation(artifact_location=_make_artifact(span.file, outcome), region=_make_region(span))
    told = om.Message(text=shorten_paths(message, outcome.root)) if message else None
    return om.Location(id=number, physical_location=place, message=told)


def _make_region(span: Span) -> om.Region:
    return om.Region(
        start_line=span.row, start_column=span.column + 1, end_line=span.end_row, end_column=span.end_column + 1
    )


def _make_artifact(file: str, outcome: Outcome) -> om.ArtifactLocation:
    inside = shown_path(file, outcome.root) != file
    return om.ArtifactLocation(uri=uri_of(file, outcome.root), uri_base_id=ROOT if inside else None)


def _as_plain_data(value: object) -> object:
    """Return a value of the model as JSON under the schema's names, without defaults."""
    if attrs.has(type(value)):
        return dict(_changed_properties(value))
    if isinstance(value, dict):
        return {name: _as_plain_data(item) for name, item in value.items()}
    return [_as_plain_data(item) for item in value] if isinstance(value, list) else value


def _changed_properties(value: object) -> Iterable[tuple[str, object]]:
    fields: Iterable[attrs.Attribute[object]] = attrs.fields(type(value))  # type: ignore[arg-type]  # one of attrs'
    for field in fields:
        item = getattr(value, field.name)
        if item != _default_of(field):
            yield field.metadata["schema_property_name"], _as_plain_data(item)


def _default_of(field: attrs.Attribute[object]) -> object:
    default = field.default
    return default.factory() if isinstance(default, attrs.Factory) else default  # type: ignore[arg-type, attr-defined]
