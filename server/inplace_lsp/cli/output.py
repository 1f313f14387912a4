"""Print what a check found."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.cli.sources import Sources
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report import summary
from inplace_lsp.report.cells import gaps_in_cells
from inplace_lsp.report.formats import FORMATS
from inplace_lsp.report.outcome import Failure, Notebooks, Outcome
from inplace_lsp.report.paths import shown_path


def shown(filename: str) -> str:
    """A file's name for a person: relative to the current folder if it lies in it."""
    return shown_path(filename, os.getcwd())


def outcome_of(
    findings: Sequence[Finding], reports: Sequence[FileReport], sources: Sources, notebooks: Notebooks
) -> Outcome:
    """What the formats show."""
    here = os.getcwd()
    failures = [Failure(report.filename, why) for report in reports for why in report.errors]
    checked = [report.filename for report in reports if report.error is None]
    return Outcome(findings, sources, here, repository(here), checked, failures, notebooks)


def repository(folder: str) -> str:
    """The nearest folder at or above `folder` that git knows, else `folder`."""
    above = (folder, *map(str, Path(folder).parents))
    return next((one for one in above if os.path.exists(os.path.join(one, ".git"))), folder)


def write(outcome: Outcome, output_format: str, output_file: str | None) -> None:
    """Print the findings, or write them to a file. Raises OSError for that file, and MissingPackageError."""
    wanted = FORMATS[output_format]
    if output_file is None:
        wanted.write(outcome, sys.stdout)
        return
    text = io.StringIO()
    wanted.write(outcome, text)
    with open(output_file, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text.getvalue())


def write_statistics(reports: Sequence[FileReport], outcome: Outcome, *, err: bool) -> None:
    """Print how often each code was found, and how much was understood."""
    for line in _statistics(reports, outcome):
        click.echo(line, err=err)


def write_summary(reports: Sequence[FileReport], outcome: Outcome) -> None:
    """Print the last lines: how much was found, and what was not looked at."""
    checked = sum(report.error is None for report in reports)
    if checked:
        click.echo(summary.summary_line(outcome.findings, checked))
    elif not reports:
        click.echo("No Python files to check.")
    gaps = _gaps(reports, outcome)
    for line in (summary.cut_line(gaps), summary.unparsed_line(gaps, shown)):
        if line:
            click.echo(line)


def _gaps(reports: Sequence[FileReport], outcome: Outcome) -> list[NotAnalysed]:
    return gaps_in_cells([gap for report in reports for gap in report.gaps], outcome.notebooks)


def _statistics(reports: Sequence[FileReport], outcome: Outcome) -> Iterator[str]:
    yield from summary.code_lines(outcome.findings)
    gaps = _gaps(reports, outcome)
    yield from summary.coverage_lines(summary.coverage(sum(report.functions for report in reports), gaps))
    yield from summary.unreached_lines(gaps, shown)
    yield from summary.unknown_lines(one for report in reports for one in report.unknown)
