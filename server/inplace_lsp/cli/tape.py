"""`inplace-lsp tape FILE:LINE`: the predicted trace of a finding, as a table over time or a drawing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace

import click

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis
from inplace_lsp.cli.output import shown
from inplace_lsp.cli.pictures import FORMATS, drawn
from inplace_lsp.cli.problems import FAILED, describe, problem
from inplace_lsp.cli.sources import Sources
from inplace_lsp.config import ConfigError, for_file
from inplace_lsp.facts.models import facts_of
from inplace_lsp.files.read import UnreadableError, read
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report.predicted import tape_of
from inplace_lsp.tape.model import Span


def _place(_: click.Context, __: click.Parameter, value: str) -> tuple[str, int]:
    """The file and the line; everything after the last colon is the line."""
    file, _colon, line = value.rpartition(":")
    if not file or not line.isdecimal():
        raise click.BadParameter(f"{value!r} is not FILE:LINE, such as train.py:12")
    return file, int(line)


@click.command()
@click.argument("place", metavar="FILE:LINE", callback=_place)
@click.option("--output-format", type=click.Choice(FORMATS), default="text", help="How to show it.")
def tape(place: tuple[str, int], output_format: str) -> None:
    """Show what happens to the tensor of the finding at FILE:LINE: who saves it, who writes it, at which version.

    This is what the analysis predicts; `inplace-lsp trace` shows what a run of the script does. The text tells of every
    finding on the line, the other formats draw the first.
    """
    file, row = place
    filename = os.path.abspath(file)
    analysis = _analysis(filename, file)
    places = [(span, one) for one in analysis.findings for span in _places(one) if span.file == filename]
    here = [finding for span, finding in places if span.row <= row <= span.end_row]
    if not here:
        rows = ", ".join(str(row) for row in sorted({span.row for span, _ in places})) or "none"
        problem(f"{file}:{row}: nothing is found on this line (lines with findings: {rows})")
        sys.exit(FAILED)
    sources = Sources(())
    if output_format != "text":
        click.echo(_drawn(analysis, here[0], sources, output_format), nl=False)
        return
    for finding in here:
        name = file if finding.span.file == filename else shown(finding.span.file)
        click.echo(f"{name}:{finding.span.row}: {finding.code} {finding.name}: {finding.message}\n")
        click.echo(_drawn(analysis, finding, sources, output_format))


def _drawn(analysis: Analysis, finding: Finding, sources: Sources, form: str) -> str:
    predicted = tape_of(analysis.tapes, finding)
    if form == "text":  # a table has room for the tensors of one story
        predicted = replace(predicted, events=finding.story)
    return drawn(predicted, sources, form, origin="predicted", at=finding.span, title=finding.message)


def _places(finding: Finding) -> Iterator[Span]:
    """Where the write stands; one in another file also where it is called."""
    yield finding.span
    yield from (one.span for one in finding.related if one.role == "written" and one.span.file != finding.span.file)


def _analysis(filename: str, name: str) -> Analysis:
    try:
        return engine.analyse(read(filename), filename, facts_of(for_file(filename).models))
    except ConfigError as error:
        problem(str(error))
    except UnreadableError as error:
        problem(f"cannot check {name}: {error}")
    except Exception as error:
        problem(f"cannot check {name}: internal error: {describe(error)}")
    sys.exit(FAILED)
