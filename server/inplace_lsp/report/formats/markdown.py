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
"""GitHub cuts off a summary of more than 1 MB as a whole."""


def write(outcome: Outcome, file: TextIO) -> None:
    """Write the table, and what could not be checked; nothing where there is neither."""
    file.writelines(f"{line}\n" for line in _lines(outcome))


def _lines(outcome: Outcome) -> Iterator[str]:
    if outcome.findings:
        yield from ("### In-place writes that break gradients", "")
        yield from ("| place | code | what is wrong | what to do |", "| --- | --- | --- | --- |")
        yield from (_row(finding, outcome) for finding in outcome.findings[:MOST_ROWS])
        more = len(outcome.findings) - MOST_ROWS
        yield from (("", f"... and {more} more.") if more > 0 else ())
        yield ""
    if outcome.failures:
        yield from ("### Not checked", "", *(_bullet(failure, outcome) for failure in outcome.failures), "")


def _row(finding: Finding, outcome: Outcome) -> str:
    place = f"`{shown_path(finding.span.file, outcome.folder)}:{finding.span.row}`"
    code = f"{finding.severity} [{finding.code}]({hazard_url(finding.code)})"
    repair = f"{finding.fix.message} ({finding.fix.applicability})" if finding.fix is not None else ""
    cells = (place, code, shorten_paths(finding.message, outcome.folder), repair or describe_help(finding))
    return f"| {' | '.join(map(_as_cell, cells))} |"


def _bullet(failure: Failure, outcome: Outcome) -> str:
    row = f":{failure.place.row}" if failure.place is not None else ""
    place = f"`{shown_path(failure.filename, outcome.folder)}{row}`: " if failure.filename else ""
    return f"- {place}{_as_cell(failure.reason)}"


def _as_cell(words: str) -> str:
    return " ".join(words.replace("|", "\\|").split())
