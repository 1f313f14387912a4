"""`why --fix` and `why --diff`: the repair of the first candidate, written to its file or shown."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis
from inplace_lsp.cli import fix
from inplace_lsp.cli.output import shown
from inplace_lsp.cli.problems import FAILED, problem
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.cli.sources import read_source
from inplace_lsp.config import for_file
from inplace_lsp.facts.models import facts_of
from inplace_lsp.files.read import UnreadableError
from inplace_lsp.hazards.finding import Finding, Fix
from inplace_lsp.notebooks import NotebookError
from inplace_lsp.why.ranking import Candidate


def repair(candidate: Candidate, *, unsafe: bool, show: bool) -> None:
    """Make the best repair of `candidate`, or `show` it as a diff. Ends the program where there is none."""
    name = candidate.span.file
    place = f"{shown(name)}:{candidate.span.row}"
    try:
        source = read_source(name)
    except UnreadableError as error:
        _give_up(f"{place}: {error}")
    found = _best_fix(source.program, candidate)
    if found is None:
        _give_up(f"{place}: no repair is known that holds (`inplace-lsp explain {candidate.code}` says what to write)")
    if found.applicability != "safe" and not unsafe:
        _give_up(f"{place}: the repair is {found.applicability}, --unsafe-fixes makes it: {found.message}")
    try:
        repaired = source.edited(found.edits)
    except NotebookError as error:
        _give_up(f"{place}: {error}")
    report = FileReport(name, before=source.text, after=repaired.text, repairs=1)
    failed = fix.show([report], {})[1] if show else fix.write([report], {})[1]
    for why in failed:
        _give_up(why)
    if not show:
        click.echo(f"Repaired {place}: {found.message}", err=True)


def _give_up(why: str) -> NoReturn:
    problem(f"cannot repair {why}")
    sys.exit(FAILED)


def _best_fix(text: str, candidate: Candidate) -> Fix | None:
    """The best repair of what the analysis of the candidate's own file finds there."""
    from inplace_lsp.fixes.offer import best_fix  # noqa: PLC0415

    facts = facts_of(for_file(candidate.span.file).models)

    def analyse(text: str, name: str) -> Analysis:
        return engine.analyse(text, name, facts)

    before = analyse(text, candidate.span.file)
    finding = next((one for one in before.findings if _is_about(one, candidate)), None)
    return best_fix(text, finding, before, analyse) if finding is not None else None


def _is_about(finding: Finding, candidate: Candidate) -> bool:
    same_row = finding.span.row == candidate.span.row
    return same_row and finding.span.file == candidate.span.file and finding.code == candidate.code
