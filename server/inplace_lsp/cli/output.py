"""Print what a check found."""

from __future__ import annotations

import io
import os
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click

from inplace_lsp.analysis import Cause, NotAnalysed
from inplace_lsp.cli.problems import describe_exception
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.cli.sources import Sources
from inplace_lsp.files.walk import CHECKED
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report import summary
from inplace_lsp.report.cells import move_gaps_to_cells, move_span_to_cell
from inplace_lsp.report.formats import FORMATS, Format
from inplace_lsp.report.outcome import Failure, Notebooks, Outcome
from inplace_lsp.report.paths import shown_path
from inplace_lsp.report.widths import find_columns


def display_path(filename: str) -> str:
    """Return a file's name for a person: relative to the current folder if it is inside."""
    return shown_path(filename, os.getcwd())


def make_outcome(
    findings: Sequence[Finding], reports: Sequence[FileReport], sources: Sources, notebooks: Notebooks
) -> Outcome:
    """Return the outcome that the formats show, with everything that could not be checked, except syntax errors."""
    here = os.getcwd()
    failures = [Failure(report.filename, why) for report in reports for why in report.errors]
    checked = [report.filename for report in reports if report.error is None]
    return Outcome(findings, sources, here, find_repository(here), checked, failures, notebooks)


def find_repository(folder: str) -> str:
    """Return the nearest folder at or above `folder` that git knows, else `folder`."""
    above = (folder, *map(str, Path(folder).parents))
    return next((parent for parent in above if os.path.exists(os.path.join(parent, ".git"))), folder)


def write_outcome(outcome: Outcome, output_format: str, output_file: str | None) -> list[str]:
    """Print the findings, or write them to a file; return which of them could not be written, and why. Raises OSError
    for that file."""
    wanted = FORMATS[output_format]
    if output_file is None and wanted.for_people and sys.stdout.isatty():
        return _write_findings(outcome, wanted, sys.stdout)
    text = io.StringIO()
    lost = _write_findings(outcome, wanted, text)
    if output_file is None:
        sys.stdout.write(text.getvalue())
        sys.stdout.flush()  # where the system knows ASCII only, `click` writes the rest to a stream of its own
        return lost
    with open(output_file, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text.getvalue())
    return lost


def _write_findings(outcome: Outcome, wanted: Format, file: TextIO) -> list[str]:
    """Write the findings; an internal error costs those that cannot be written."""
    try:
        wanted.write(outcome, file)
    except OSError:
        raise
    except Exception:
        errors = [_try_writing(replace(outcome, findings=[finding]), wanted) for finding in outcome.findings]
        tried = list(zip(outcome.findings, errors, strict=True))
        failing = [at for at, error in enumerate(errors) if error]
        if not failing:
            raise
        if isinstance(file, io.StringIO):
            file.truncate(file.seek(0))
        else:  # a terminal shows already what stands before
            tried = tried[failing[0] :]
        wanted.write(replace(outcome, findings=[finding for finding, error in tried if not error]), file)
        return [
            f"{display_path(finding.span.file)}:{finding.span.row}: {finding.code}: internal error: {error}"
            for finding, error in tried
            if error
        ]
    return []


def _try_writing(outcome: Outcome, wanted: Format) -> str:
    """Return why findings cannot be written; nothing if they can."""
    try:
        wanted.write(outcome, io.StringIO())
    except Exception as error:
        return describe_exception(error)
    return ""


def write_statistics(reports: Sequence[FileReport], outcome: Outcome, *, err: bool) -> None:
    """Print the number of findings for each code, and the coverage of the analysis."""
    for line in _format_statistics(reports, outcome):
        click.echo(line, err=err)


def write_summary(reports: Sequence[FileReport], outcome: Outcome, *, syntax_errors: bool) -> None:
    """Print the number of findings and what was not analysed; `syntax_errors`: also what does not parse."""
    checked = sum(report.error is None for report in reports)
    if checked:
        click.echo(_fit_terminal(summary.format_summary(outcome.findings, checked)))
    elif not reports:
        click.echo("No Python files to check.")
    gaps = _list_gaps(reports, outcome)
    lost = [gap for gap in gaps if syntax_errors or gap.cause is not Cause.SYNTAX]
    for line in (summary.format_cut(gaps), summary.format_unparsed(lost, display_path)):
        if line:
            click.echo(line)


def _fit_terminal(line: str) -> str:
    """Return the text wrapped at words on a terminal, in one line elsewhere."""
    if not sys.stdout.isatty():
        return line
    return textwrap.fill(line, find_columns(sys.stdout), subsequent_indent="    ", break_on_hyphens=False)


def find_syntax_failure(report: FileReport) -> Failure | None:
    """Return the failure of a file that does not parse, with a hint if its name is not that of a Python file."""
    places = sorted((gap.place, gap.reason) for gap in report.syntax_errors)
    if not places:
        return None
    place, reason = places[0]
    if not report.filename.endswith(CHECKED):
        return Failure(report.filename, f"it is not Python: line {place.row}: {reason}")
    more = f" (and {len(places) - 1} more)" if len(places) > 1 else ""
    return Failure(report.filename, f"{reason}{more}; the rest of the file is checked", place)


def format_failure(failure: Failure, notebooks: Notebooks) -> str:
    """Return a failure in one line, with its place."""
    if failure.place is None:
        return f"{display_path(failure.filename)}: {failure.reason}"
    place = move_span_to_cell(failure.place, notebooks)
    return f"{display_path(place.file)}:{place.row}: {failure.reason}"


def _list_gaps(reports: Sequence[FileReport], outcome: Outcome) -> list[NotAnalysed]:
    return move_gaps_to_cells([gap for report in reports for gap in report.gaps], outcome.notebooks)


def _format_statistics(reports: Sequence[FileReport], outcome: Outcome) -> Iterator[str]:
    yield from summary.format_codes(outcome.findings)
    gaps = _list_gaps(reports, outcome)
    yield from summary.format_coverage(summary.count_coverage(sum(report.functions for report in reports), gaps))
    yield from summary.format_unreached(gaps, display_path)
    yield from summary.format_unknown(name for report in reports for name in report.unknown)
