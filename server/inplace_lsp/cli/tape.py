"""`inplace-lsp tape FILE:LINE`: the predicted tape of the tensor in a finding, as a table over time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click

from inplace_lsp import engine
from inplace_lsp.cli.output import shown
from inplace_lsp.cli.problems import FAILED, describe, problem
from inplace_lsp.facts.modules import Modules
from inplace_lsp.files.read import UnreadableError, read
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report.tape_text import tape_text
from inplace_lsp.tape.model import Span


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
    places = [
        (span, finding) for finding in findings for span in _places(finding) if span.file == os.path.abspath(file)
    ]
    here = [finding for span, finding in places if span.row <= row <= span.end_row]
    if not here:
        rows = ", ".join(str(row) for row in sorted({span.row for span, _ in places})) or "none"
        problem(f"{file}:{row}: nothing is found on this line (lines with findings: {rows})")
        sys.exit(FAILED)
    for finding in here:
        name = file if finding.span.file == os.path.abspath(file) else shown(finding.span.file)
        click.echo(f"{name}:{finding.span.row}: {finding.code} {finding.name}: {finding.message}\n")
        click.echo(tape_text(finding.story))


def _places(finding: Finding) -> Iterator[Span]:
    """Where the write stands; one in another file also where it is called."""
    yield finding.span
    yield from (one.span for one in finding.related if one.role == "written" and one.span.file != finding.span.file)


def _findings(filename: str, name: str) -> tuple[Finding, ...]:
    try:
        return engine.analyse(read(filename), filename, Modules()).findings
    except UnreadableError as error:
        problem(f"cannot check {name}: {error}")
    except Exception as error:
        problem(f"cannot check {name}: internal error: {describe(error)}")
    sys.exit(FAILED)
