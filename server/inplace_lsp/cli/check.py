"""`inplace-lsp check`: the findings in files, folders or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, NoReturn

import click

from inplace_lsp import config
from inplace_lsp.across_files import settle
from inplace_lsp.cli import cache, fix, output
from inplace_lsp.cli.problems import FAILED, FOUND, problem
from inplace_lsp.cli.progress import with_progress
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.run import default_jobs, run
from inplace_lsp.cli.sources import Sources
from inplace_lsp.config import Config, ConfigError
from inplace_lsp.files.read import UnreadableError, decode, read_stdin
from inplace_lsp.files.walk import find_files
from inplace_lsp.report.formats import FORMATS, MissingPackageError
from inplace_lsp.report.outcome import Outcome

STDIN = "-"


def _codes(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    try:
        return config.codes([code for code in value.split(",") if code.strip()], f"--{parameter.name}")
    except ConfigError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH ...]")
@click.option("--output-format", type=click.Choice(list(FORMATS)), default="full", help="How to print findings.")
@click.option("--output-file", "-o", metavar="FILE", help="Write the findings to FILE; the summary stays here.")
@click.option("--select", callback=_codes, metavar="CODE,...", help="Report only these codes (IP1: all that begin so).")
@click.option("--ignore", callback=_codes, metavar="CODE,...", help="Do not report these codes.")
@click.option("--stdin-filename", metavar="NAME", help="The name that standard input (`-`) goes by.")
@click.option("--statistics", is_flag=True, help="Count codes, and functions analysed, in part, and why not.")
@click.option("--show-fixes", is_flag=True, help="Show the best repair of each finding; costs far more than finding.")
@click.option("--fix", "wants_fix", is_flag=True, help="Make the repairs that are safe, and report what is left.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: the unsafe repairs, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings and problems only: no progress, no summary.")
@click.option("--infer-types", is_flag=True, help="Ask jedi for types that the files do not tell, as editors do; slow.")
@click.option("--no-cache", is_flag=True, help="Analyse every file anew, and keep nothing.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="How many processes to use  [default: one a processor]")
def check(
    *,
    paths: tuple[str, ...],
    output_format: str,
    output_file: str | None,
    select: tuple[str, ...] | None,
    ignore: tuple[str, ...] | None,
    stdin_filename: str | None,
    statistics: bool,
    show_fixes: bool,
    wants_fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    exit_zero: bool,
    quiet: bool,
    infer_types: bool,
    no_cache: bool,
    jobs: int | None,
) -> None:
    """Find in-place writes that break gradients in the PATHs: files, folders, or `-` for standard input.

    Without a PATH: the current folder. Exit status: 0 nothing found, 1 findings, 2 something could not be checked.
    """
    problems = _Problems()
    given = _given(stdin_filename, problems) if STDIN in paths else {}
    try:
        work = _jobs(paths or (".",), given, select, ignore, problems)
    except ConfigError as error:
        problem(str(error))
        sys.exit(FAILED)
    repair: Literal["", "safe", "unsafe"] = ("unsafe" if unsafe_fixes else "safe") if wants_fix or diff else ""
    kept = None if no_cache else cache.default_folder()
    work = [replace(job, fixes=show_fixes, types=infer_types, repair=repair, cache=kept) for job in work]
    reports = _in_order(with_progress(run(work, jobs or default_jobs()), len(work), shown=not quiet), work)
    for report in reports:
        for why in report.errors:
            problems.report(f"{output.shown(report.filename)}: {why}")
    if diff:
        changed, failed = fix.show(reports, given)
        for why in failed:
            problems.report(why, "repair")
        problems.leave(found=changed and not exit_zero)
    if wants_fix:
        _make_repairs(reports, given, problems, quiet=quiet)
    if wants_fix and STDIN in paths:  # standard output is the repaired text
        problems.leave(found=False)
    sources = Sources(reports)
    findings = settle({report.filename: report.findings for report in reports}, sources.text)
    _write(output.outcome_of(findings, reports, sources), output_format, output_file, problems)
    for_people = output_file is not None or FORMATS[output_format].for_people
    if statistics:
        output.write_statistics(reports, findings, err=not for_people)
    if for_people and not quiet:
        output.write_summary(reports, findings)
    problems.leave(found=bool(findings) and not exit_zero)


def _write(outcome: Outcome, output_format: str, output_file: str | None, problems: _Problems) -> None:
    try:
        output.write(outcome, output_format, output_file)
    except OSError as error:
        if output_file is None:
            raise
        problems.report(f"the findings to {output_file}: {error.strerror or error}", "write")
    except MissingPackageError as error:
        problems.report(f"{output_format}: it {error}", "write")


def _make_repairs(
    reports: Iterable[FileReport], given: Mapping[str, bytes], problems: _Problems, *, quiet: bool
) -> None:
    repairs, failed = fix.write(reports, given)
    for why in failed:
        problems.report(why, "repair")
    if repairs and not quiet:
        click.echo(f"Repaired {repairs} hazard{'s' * (repairs != 1)}.", err=True)


class _Problems:
    """Says what could not be done, and remembers that there was something: the exit status depends on it."""

    def __init__(self) -> None:
        self.any = False

    def report(self, message: str, doing: str = "check") -> None:
        self.any = True
        problem(f"cannot {doing} {message}")

    def leave(self, *, found: bool) -> NoReturn:
        sys.exit(FAILED if self.any else FOUND if found else 0)


def _given(stdin_filename: str | None, problems: _Problems) -> dict[str, bytes]:
    """What is on standard input, by the name that it goes by."""
    try:
        return {os.path.abspath(stdin_filename or "stdin.py"): read_stdin()}
    except UnreadableError as error:
        problems.report(f"standard input: {error}")
        return {}


def _jobs(
    paths: tuple[str, ...],
    given: Mapping[str, bytes],
    select: tuple[str, ...] | None,
    ignore: tuple[str, ...] | None,
    problems: _Problems,
) -> list[Job]:
    files = find_files(tuple(path for path in paths if path != STDIN), problems.report)
    jobs = [Job(file, _config(file, select, ignore)) for file in files]
    for name, data in given.items():
        try:
            jobs.append(Job(name, _config(name, select, ignore), decode(data)))
        except UnreadableError as error:
            problems.report(f"standard input: {error}")
    return jobs


def _config(file: str, select: tuple[str, ...] | None, ignore: tuple[str, ...] | None) -> Config:
    """The file's configuration, with what the command line says instead."""
    found = config.for_file(file)
    return replace(
        found,
        select=found.select if select is None else select,
        ignore=found.ignore if ignore is None else ignore,
    )


def _in_order(reports: Iterable[FileReport], jobs: list[Job]) -> list[FileReport]:
    order = {job.filename: index for index, job in enumerate(jobs)}
    return sorted(reports, key=lambda report: order[report.filename])
