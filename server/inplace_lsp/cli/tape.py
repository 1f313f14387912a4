"""`inplace-lsp tape FILE:LINE`: the predicted trace of a finding, as a table over time or a drawing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis
from inplace_lsp.cli.options import is_line_number
from inplace_lsp.cli.output import display_path
from inplace_lsp.cli.pictures import FORMATS, draw_trace
from inplace_lsp.cli.problems import FAILED, describe_exception, print_problem
from inplace_lsp.cli.sources import Sources
from inplace_lsp.config import ConfigError, config_for_file
from inplace_lsp.facts.models import make_facts
from inplace_lsp.files.read import UnreadableError, read_source_file
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.remedy import add_advice, describe_help
from inplace_lsp.report.predicted_tape import find_tape
from inplace_lsp.tape.model import Span


def _read_place(_: click.Context, __: click.Parameter, value: str) -> tuple[str, int]:
    """Return the file and the line, which follows the last colon."""
    file, _colon, line = value.rpartition(":")
    if not file or not is_line_number(line):
        raise click.BadParameter(f"{value!r} is not FILE:LINE, such as train.py:12")
    return file, int(line)


@click.command(short_help="Show what the analysis predicts for a finding.")
@click.argument("place", metavar="FILE:LINE", type=click.Path(), callback=_read_place)
@click.option("--output-format", type=click.Choice(FORMATS), default="text", help="How to print it.")
@click.option("--whole", is_flag=True, help="With html: also the other findings, and all that the function does.")
def tape(place: tuple[str, int], output_format: str, *, whole: bool) -> None:
    """Show what happens to the tensor of the finding at FILE:LINE: who saves it, who writes it, at which version.

    This is what the analysis predicts; `inplace-lsp trace` shows what a run of the script does. The text format shows
    every finding on the line, the other formats only the first.
    """
    file, row = place
    filename = os.path.abspath(file)
    analysis = _analyse_file(filename, file)
    places = [(span, found) for found in analysis.findings for span in _list_places(found) if span.file == filename]
    here = [finding for span, finding in places if span.row <= row <= span.end_row]
    if not here:
        rows = ", ".join(str(row) for row in sorted({span.row for span, _ in places})) or "none"
        print_problem(f"{file}:{row}: {_explain_nothing(analysis, row)} (lines with findings: {rows})")
        sys.exit(FAILED)
    sources = Sources(())
    if output_format == "html":
        click.echo(_draw_page(analysis, here[0], sources, whole=whole))
        return
    if output_format != "text":
        click.echo(_draw_finding(analysis, here[0], sources, output_format), nl=False)
        return
    for finding in here:
        name = file if finding.span.file == filename else display_path(finding.span.file)
        click.echo(f"{name}:{finding.span.row}: {finding.code} {finding.name}: {finding.message}\n")
        click.echo(_draw_finding(analysis, finding, sources, output_format))


def _explain_nothing(analysis: Analysis, row: int) -> str:
    """Return why nothing is shown for a line."""
    gaps = (gap for gap in analysis.gaps if not gap.partly and gap.span.row <= row <= gap.span.end_row)
    return next((gap.reason for gap in gaps), "nothing is found on this line")


def _draw_finding(analysis: Analysis, finding: Finding, sources: Sources, form: str) -> str:
    predicted = find_tape(analysis.tapes, finding)
    return draw_trace(predicted, sources, form, origin="predicted", at=finding.span, title=finding.message)


def _draw_page(analysis: Analysis, finding: Finding, sources: Sources, *, whole: bool) -> str:
    from inplace_lsp.report.trace_html import trace_html  # noqa: PLC0415  (loads the templates)

    return trace_html(
        find_tape(analysis.tapes, finding),
        sources,
        origin="predicted",
        at=finding.span,
        title=finding.message,
        repair=describe_help(add_advice(finding, sources)),
        alone=not whole,
    )


def _list_places(finding: Finding) -> Iterator[Span]:
    """Yield the place of the write, and of the call if the write is in another file."""
    yield finding.span
    yield from (
        related.span
        for related in finding.related
        if related.role == "written" and related.span.file != finding.span.file
    )


def _analyse_file(filename: str, name: str) -> Analysis:
    try:
        config = config_for_file(filename)
        return engine.analyse_source(read_source_file(filename), filename, make_facts(config))
    except ConfigError as error:
        print_problem(str(error))
    except UnreadableError as error:
        print_problem(f"cannot check {name}: {error}")
    except Exception as error:
        print_problem(f"cannot check {name}: internal error: {describe_exception(error)}")
    sys.exit(FAILED)
