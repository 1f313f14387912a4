"""Convert a finding to a diagnostic of the protocol, within the client's declared capabilities."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import PurePath

from lsprotocol import types
from pygls.uris import from_fs_path

from inplace_lsp.hazards.finding import UNUSED_SUPPRESSION, Finding, Related
from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.partial_analysis import make_partial_marks
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.report.urls import hazard_url
from inplace_lsp.tape.model import Span

log = logging.getLogger(__name__)
SOURCE = "inplace-lsp"
SEEN = "inplace-lsp (verify)"
"""The source of findings that only a run has shown."""
SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


def make_diagnostics(
    result: Result, client: Client, *, partly_analysed: bool = False
) -> dict[str, list[types.Diagnostic]]:
    """Return the diagnostics of every document of the program, including documents without any. `partly_analysed`: mark
    the functions that were analysed in part."""
    found: dict[str, list[types.Diagnostic]] = {part.uri: [] for part in result.program.parts}
    for finding, source in _findings_to_show(result):
        try:
            place = result.program.location_of(finding.span) or find_call(finding, result.program)
            if place is not None:
                found[place.uri].append(make_diagnostic(finding, result.program, client, source))
        except Exception:  # a bug of ours costs one finding, not those of the file
            log.exception("%s on line %s cannot be shown", finding.code, finding.span.row)
    for uri, mark in make_partial_marks(result, client, SOURCE) if partly_analysed else ():
        found[uri].append(mark)
    return found


def _findings_to_show(result: Result) -> Iterator[tuple[Finding, str]]:
    """Yield the findings with what runs have said of them, and those that only a run has shown, with their source."""
    for finding in result.analysis.findings:
        yield result.verified.adjust_finding(finding), SOURCE
    for finding in result.verified.list_unpredicted_findings(result.analysis.findings):
        yield finding, SEEN


def find_call(finding: Finding, program: Program) -> types.Location | None:
    """Return where the program calls into the other file that a finding is in."""
    places = (program.location_of(note.span) for note in finding.related if note.role == "written")
    return next((place for place in places if place is not None), None)


def identify_finding(finding: Finding) -> dict[str, str | int]:
    """Return what identifies a finding in its analysis, for the diagnostic's `data`."""
    return {"code": finding.code, "row": finding.span.row, "column": finding.span.column}


def make_diagnostic(finding: Finding, program: Program, client: Client, source: str = SOURCE) -> types.Diagnostic:
    """Return the diagnostic of a finding."""
    related = _make_related_information(finding, program)
    at = (program.location_of(finding.span) or find_call(finding, program) or _locate_lines(finding.span)).range
    message = program.name_lines(finding.message)
    if finding.span.file != program.filename:
        message = f"{PurePath(finding.span.file).name}, line {finding.span.row}: {message}"
        related.insert(0, types.DiagnosticRelatedInformation(_locate_lines(finding.span), "written here"))
    if related and not client.related_information:
        message = "\n".join([message, *(f"line {row}: {text}" for row, text in _list_related_lines(finding.related))])
    return types.Diagnostic(
        range=at,
        severity=SEVERITY[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(hazard_url(finding.code)) if client.code_description else None,
        source=source,
        message=message,
        tags=_list_tags(finding, client),
        related_information=related if related and client.related_information else None,
        data=identify_finding(finding) if client.diagnostic_data else None,
    )


def _list_tags(finding: Finding, client: Client) -> list[types.DiagnosticTag] | None:
    is_unnecessary = client.unnecessary_tag and finding.code == UNUSED_SUPPRESSION
    return [types.DiagnosticTag.Unnecessary] if is_unnecessary else None


def _make_related_information(finding: Finding, program: Program) -> list[types.DiagnosticRelatedInformation]:
    return [
        types.DiagnosticRelatedInformation(
            program.location_of(note.span) or _locate_lines(note.span), program.name_lines(note.message)
        )
        for note in finding.related
    ]


def _list_related_lines(related: tuple[Related, ...]) -> list[tuple[int, str]]:
    return [(note.span.row, note.message) for note in related]


def _locate_lines(span: Span) -> types.Location:
    """Return a location in a file outside the program, whose text is not known here: whole lines."""
    uri = from_fs_path(span.file) or span.file
    return types.Location(uri, types.Range(types.Position(span.row - 1, 0), types.Position(span.end_row - 1, 0)))
