"""A table in Markdown: for the summary of a job (`$GITHUB_STEP_SUMMARY`), a comment, a chat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.remedy import describe_help
from inplace_lsp.report.outcome import Failure, Outcome
from inplace_lsp.report.paths import shorten_paths, shown_path
from inplace_lsp.report.urls import hazard_url

MOST_ROWS = 200
"""Maximum number of rows: GitHub drops a summary of more than 1 MB completely."""


def write(outcome: Outcome, file: TextIO) -> None:
    """Write the table, and what could not be checked; nothing if there is neither."""
    file.writelines(f"{line}\n" for line in _format_lines(outcome))


def _format_lines(outcome: Outcome) -> Iterator[str]:
    if outcome.findings:
        yield from ("### In-place writes that break gradients", "")
        yield from ("| place | code | what is wrong | what to do |", "| --- | --- | --- | --- |")
        yield from (_format_row(finding, outcome) for finding in outcome.findings[:MOST_ROWS])
        more = len(outcome.findings) - MOST_ROWS
        yield from (("", f"... and {more} more.") if more > 0 else ())
        yield ""
    if outcome.failures:
        yield from ("### Not checked", "", *(_format_failure(failure, outcome) for failure in outcome.failures), "")


def _format_row(finding: Finding, outcome: Outcome) -> str:
    place = f"`{shown_path(finding.span.file, outcome.folder)}:{finding.span.row}`"
    code = f"{finding.severity} [{finding.code}]({hazard_url(finding.code)})"
    repair = f"{finding.fix.message} ({finding.fix.applicability})" if finding.fix is not None else ""
    cells = (place, code, shorten_paths(finding.message, outcome.folder), repair or describe_help(finding))
    return f"| {' | '.join(map(_escape_cell, cells))} |"


def _format_failure(failure: Failure, outcome: Outcome) -> str:
    row = f":{failure.place.row}" if failure.place is not None else ""
    place = f"`{shown_path(failure.filename, outcome.folder)}{row}`: " if failure.filename else ""
    return f"- {place}{_escape_cell(failure.reason)}"


def _escape_cell(words: str) -> str:
    return " ".join(words.replace("|", "\\|").split())
