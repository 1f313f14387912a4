"""`inplace-lsp tape FILE:LINE`: the predicted tape of the tensor in a finding, as a table over time."""

from __future__ import annotations

import os
import sys

import click

from inplace_lsp import engine
from inplace_lsp.cli.problems import FAILED, describe, problem
from inplace_lsp.cli.read import UnreadableError, read
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report.tape_text import tape_text


def _place(_: click.Context, __: click.Parameter, value: str) -> tuple[str, int]:
    """The file and the line; everything after the last colon is the line."""
    file, _colon, line = value.rpartition(":")
    if not file or not line.isdecimal():
        raise click.BadParameter(f"{value!r} is not FILE:LINE, such as train.py:12")
    return file, int(line)


@click.command()
@click.argument("place", metavar="FILE:LINE", callback=_place)
def tape(place: tuple[str, int]) -> None:
    """Show what happens to the tensor of the finding at FILE:LINE: who saves it, who writes it, at which version."""
    file, row = place
    findings = _findings(os.path.abspath(file), file)
    here = [finding for finding in findings if finding.span.row <= row <= finding.span.end_row]
    if not here:
        rows = ", ".join(str(row) for row in sorted({finding.span.row for finding in findings})) or "none"
        problem(f"{file}:{row}: nothing is found on this line (lines with findings: {rows})")
        sys.exit(FAILED)
    for finding in here:
        click.echo(f"{file}:{finding.span.row}: {finding.code} {finding.name}: {finding.message}\n")
        click.echo(tape_text(finding.story))


def _findings(filename: str, shown: str) -> tuple[Finding, ...]:
    try:
        return engine.analyse(read(filename), filename).findings
    except UnreadableError as error:
        problem(f"cannot check {shown}: {error}")
    except Exception as error:
        problem(f"cannot check {shown}: internal error: {describe(error)}")
    sys.exit(FAILED)
