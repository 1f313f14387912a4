"""`check --suppress REASON`: hide today's findings by comments, so that only later ones are reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from inplace_lsp.cli.reports import FileReport
from inplace_lsp.cli.sources import read_source
from inplace_lsp.files.read import UnreadableError, decode_source
from inplace_lsp.fixes.suppression import hide_on_line
from inplace_lsp.hazards.finding import NO_HAZARDS, Finding
from inplace_lsp.notebooks import NotebookError


def add_comments(
    findings: Iterable[Finding], reports: Iterable[FileReport], reason: str, given: Mapping[str, bytes]
) -> list[FileReport]:
    """Return the texts of the checked files with a comment at each hazard in them."""
    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.code not in NO_HAZARDS:
            by_file.setdefault(finding.span.file, []).append(finding)
    checked = {report.filename for report in reports if report.error is None}
    return [_comment_file(file, here, reason, given) for file, here in by_file.items() if file in checked]


def list_findings_without_comment(findings: Iterable[Finding], commented: Iterable[FileReport]) -> list[Finding]:
    """Return the findings for which no comment was written."""
    hidden = {id(finding) for report in commented for finding in report.findings}
    return [finding for finding in findings if id(finding) not in hidden]


def _comment_file(file: str, findings: Sequence[Finding], reason: str, given: Mapping[str, bytes]) -> FileReport:
    try:
        source = read_source(file, decode_source(given[file]) if file in given else None)
        before = source.text
        for finding in findings:  # a comment moves no row
            source = source.with_edits([hide_on_line(source.program, finding, " ".join(reason.split()))])
    except (UnreadableError, NotebookError) as error:
        return FileReport(file, error=str(error))
    return FileReport(file, tuple(findings), before=before, after=source.text, repairs=len(findings))
