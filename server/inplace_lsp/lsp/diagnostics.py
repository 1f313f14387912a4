"""A finding as a diagnostic of the protocol, with no more than the client declared that it can take."""

from __future__ import annotations

from pathlib import PurePath

from lsprotocol import types
from pygls.uris import from_fs_path

from inplace_lsp.hazards.finding import UNUSED_SUPPRESSION, Finding, Related
from inplace_lsp.lsp.client import Client
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.partly import marks
from inplace_lsp.lsp.session import Result
from inplace_lsp.report.urls import hazard_url
from inplace_lsp.tape.model import Span

SOURCE = "inplace-lsp"
SEEN = "inplace-lsp (verify)"
"""The source of what only a run has shown."""
SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


def diagnostics_by_document(
    result: Result, client: Client, *, partly_analysed: bool = False
) -> dict[str, list[types.Diagnostic]]:
    """The diagnostics of every document of the program, those without any included. `partly_analysed`: with marks at
    the functions that are."""
    found: dict[str, list[types.Diagnostic]] = {part.uri: [] for part in result.program.parts}
    for finding in result.analysis.findings:
        place = result.program.location(finding.span) or call_of(finding, result.program)
        if place is not None:
            found[place.uri].append(diagnostic_of(result.verified.of(finding), result.program, client))
    for finding in result.verified.missed(result.analysis.findings):
        place = result.program.location(finding.span) or call_of(finding, result.program)
        if place is not None:
            found[place.uri].append(diagnostic_of(finding, result.program, client, SEEN))
    for uri, mark in marks(result, client, SOURCE) if partly_analysed else ():
        found[uri].append(mark)
    return found


def call_of(finding: Finding, program: Program) -> types.Location | None:
    """Where the program calls into the other file that a finding stands in."""
    places = (program.location(one.span) for one in finding.related if one.role == "written")
    return next((place for place in places if place is not None), None)


def identity(finding: Finding) -> dict[str, str | int]:
    """What tells a finding from the others of one analysis; travels as the diagnostic's `data`."""
    return {"code": finding.code, "row": finding.span.row, "column": finding.span.column}


def diagnostic_of(finding: Finding, program: Program, client: Client, source: str = SOURCE) -> types.Diagnostic:
    """The diagnostic of one finding."""
    related = _related(finding, program)
    at = (program.location(finding.span) or call_of(finding, program) or _elsewhere(finding.span)).range
    message = finding.message
    if finding.span.file != program.filename:
        message = f"{PurePath(finding.span.file).name}, line {finding.span.row}: {message}"
        related.insert(0, types.DiagnosticRelatedInformation(_elsewhere(finding.span), "written here"))
    if related and not client.related_information:
        message = "\n".join([message, *(f"line {row}: {text}" for row, text in _plain(finding.related))])
    return types.Diagnostic(
        range=at,
        severity=SEVERITY[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(hazard_url(finding.code)) if client.code_description else None,
        source=source,
        message=message,
        tags=[types.DiagnosticTag.Unnecessary]
        if client.unnecessary_tag and finding.code == UNUSED_SUPPRESSION
        else None,
        related_information=related if related and client.related_information else None,
        data=identity(finding) if client.diagnostic_data else None,
    )


def _related(finding: Finding, program: Program) -> list[types.DiagnosticRelatedInformation]:
    return [
        types.DiagnosticRelatedInformation(program.location(one.span) or _elsewhere(one.span), one.message)
        for one in finding.related
    ]


def _plain(related: tuple[Related, ...]) -> list[tuple[int, str]]:
    return [(one.span.row, one.message) for one in related]


def _elsewhere(span: Span) -> types.Location:
    """A place in a file that is not part of the program: its text is not known here, so whole lines."""
    uri = from_fs_path(span.file) or span.file
    return types.Location(uri, types.Range(types.Position(span.row - 1, 0), types.Position(span.end_row - 1, 0)))
