"""Print what a check found."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence

import click

from inplace_lsp.cli.reports import FileReport
from inplace_lsp.cli.sources import Sources
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report import summary
from inplace_lsp.report.as_json import as_json


def shown(filename: str) -> str:
    """A file's name for a person: relative to the current folder if it lies in it."""
    from inplace_lsp.report.text import shown_path  # noqa: PLC0415  (draws in rich, which JSON does not need)

    return shown_path(filename, os.getcwd())


def write(
    findings: Sequence[Finding],
    reports: Sequence[FileReport],
    sources: Sources,
    *,
    output_format: str,
    statistics: bool,
    summary: bool,
) -> None:
    """Print the findings in `output_format`, and after them what was asked for; next to JSON that goes to stderr."""
    if output_format == "json":
        click.echo(json.dumps(as_json(findings), indent=2))
    elif findings:
        _text(findings, sources)
    if statistics:
        for line in _statistics(reports, findings):
            click.echo(line, err=output_format == "json")
    if summary and output_format == "text":
        _summary(reports, findings)


def _text(findings: Sequence[Finding], sources: Sources) -> None:
    from rich.console import Console  # noqa: PLC0415  (JSON does not need it)

    from inplace_lsp.report.text import finding_text  # noqa: PLC0415

    console = Console(file=sys.stdout, soft_wrap=True, highlight=False, emoji=False, markup=False)
    for finding in findings:
        for line in finding_text(finding, sources, os.getcwd()):
            console.print(line)
        console.print()


def _statistics(reports: Sequence[FileReport], findings: Sequence[Finding]) -> Iterator[str]:
    yield from summary.code_lines(findings)
    gaps = [gap for report in reports for gap in report.gaps]
    yield from summary.coverage_lines(summary.coverage(sum(report.functions for report in reports), gaps))
    yield from summary.unreached_lines(gaps, shown)
    yield from summary.unknown_lines(one for report in reports for one in report.unknown)


def _summary(reports: Sequence[FileReport], findings: Sequence[Finding]) -> None:
    checked = sum(report.error is None for report in reports)
    if checked:
        click.echo(summary.summary_line(findings, checked))
    elif not reports:
        click.echo("No Python files to check.")
    gaps = [gap for report in reports for gap in report.gaps]
    for line in (summary.cut_line(gaps), summary.unparsed_line(gaps, shown)):
        if line:
            click.echo(line)
