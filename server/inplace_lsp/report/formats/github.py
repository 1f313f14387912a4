"""Workflow commands of GitHub Actions: each finding becomes an annotation of the commit or pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from inplace_lsp.hazards.finding import Finding, Severity
from inplace_lsp.report.outcome import Failure, Outcome
from inplace_lsp.report.paths import shorten_paths, shown_path

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def write(outcome: Outcome, file: TextIO) -> None:
    """Write a command for each finding, and one for each file that could not be checked completely."""
    for finding in outcome.findings:
        properties = ",".join(f"{name}={_escape_property(value)}" for name, value in _annotation_properties(finding))
        message = "\n".join(_message_lines(finding, outcome.folder))
        file.write(f"::{_COMMANDS[finding.severity]} {properties}::{_escape_data(message)}\n")
    for failure in outcome.failures:
        place = "".join(f",{name}={_escape_property(value)}" for name, value in _failure_properties(failure))
        file.write(f"::error title=inplace-lsp{place}::{_escape_data(failure.reason)}\n")


def _failure_properties(failure: Failure) -> Iterator[tuple[str, str]]:
    if failure.filename:
        yield "file", failure.filename
    if failure.place is not None:
        yield "line", str(failure.place.row)


def _annotation_properties(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield the annotation's properties; GitHub allows columns only for a place on one line."""
    span = finding.span
    yield "title", f"inplace-lsp ({finding.code} {finding.name})"
    yield "file", span.file
    yield "line", str(span.row)
    if span.row == span.end_row:
        yield "col", str(span.column + 1)
    yield "endLine", str(span.end_row)
    if span.row == span.end_row:
        yield "endColumn", str(span.end_column + 1)


def _message_lines(finding: Finding, folder: str) -> Iterator[str]:
    span = finding.span
    yield f"{shown_path(span.file, folder)}:{span.row}:{span.column + 1}: {shorten_paths(finding.message, folder)}"
    for related in finding.related:
        place = f"{shown_path(related.span.file, folder)}:{related.span.row}"
        yield f"{place}: {shorten_paths(related.message, folder)}"
    if finding.assumptions:
        yield f"assuming: {'; '.join(finding.assumptions)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
