"""`why --fix` and `why --diff`: write or show the repair of the first candidate."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis
from inplace_lsp.cli import fix
from inplace_lsp.cli.output import display_path
from inplace_lsp.cli.problems import FAILED, print_problem
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.cli.sources import read_source
from inplace_lsp.config import config_for_file
from inplace_lsp.facts.models import make_facts
from inplace_lsp.files.read import UnreadableError
from inplace_lsp.hazards.finding import Finding, Fix
from inplace_lsp.notebooks import NotebookError
from inplace_lsp.why.ranking import Candidate


def repair_candidate(candidate: Candidate, *, unsafe: bool, show: bool) -> None:
    """Make the best repair of `candidate`, or `show` it as a diff. End the program if there is none."""
    name = candidate.span.file
    place = f"{display_path(name)}:{candidate.span.row}"
    try:
        source = read_source(name)
    except UnreadableError as error:
        _end_without_repair(f"{place}: {error}")
    found = _find_best_fix(source.program, candidate)
    if found is None:
        more = f" (`inplace-lsp explain {candidate.code}` says what to write)" if candidate.code else ""
        _end_without_repair(f"{place}: no repair is known{more}")
    if found.applicability != "safe" and not unsafe:
        _end_without_repair(f"{place}: the repair is {found.applicability}, --unsafe-fixes makes it: {found.message}")
    try:
        repaired = source.with_edits(found.edits)
    except NotebookError as error:
        _end_without_repair(f"{place}: {error}")
    report = FileReport(name, before=source.text, after=repaired.text, repairs=1)
    refused = fix.show_repairs([report], {})[1] if show else fix.write_repairs([report], {}).refused.values()
    for why in refused:
        _end_without_repair(why)
    if not show:
        click.echo(f"Repaired {place}: {found.message}", err=True)


def _end_without_repair(why: str) -> NoReturn:
    print_problem(f"cannot repair {why}")
    sys.exit(FAILED)


def _find_best_fix(text: str, candidate: Candidate) -> Fix | None:
    """Return the best repair of what the analysis finds in the candidate's file."""
    from inplace_lsp.fixes.offer import best_fix  # noqa: PLC0415

    config = config_for_file(candidate.span.file)
    facts = make_facts(config)

    def analyse_text(text: str, name: str) -> Analysis:
        return engine.analyse_source(text, name, facts)

    before = analyse_text(text, candidate.span.file)
    finding = next((found for found in before.findings if _is_about(found, candidate)), None)
    return best_fix(text, finding, before, analyse_text) if finding is not None else None


def _is_about(finding: Finding, candidate: Candidate) -> bool:
    same_row = finding.span.row == candidate.span.row
    return same_row and finding.span.file == candidate.span.file and finding.code == candidate.code
