"""`inplace-lsp check`: its options. `check_once.py` does the work."""

from __future__ import annotations

import sys
from typing import Any

import click

from inplace_lsp import config
from inplace_lsp.cli.check_once import check_once
from inplace_lsp.cli.check_options import CheckOptions
from inplace_lsp.cli.defaults import fill_from_config
from inplace_lsp.cli.options import environment_option, executor_option, jobs_option, progress_option, refuse_jobs
from inplace_lsp.config import ConfigError
from inplace_lsp.hazards.finding import SEVERITIES
from inplace_lsp.report.formats import FORMATS


def _read_codes(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    codes = [code for code in value.split(",") if code.strip()]
    if not codes and parameter.name == "select":  # such as that of a variable that is not set
        raise click.BadParameter("no code is given")
    try:
        return config.check_codes(codes, "")
    except ConfigError as error:
        raise click.BadParameter(str(error)) from None


def _read_patterns(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    patterns = [pattern.strip() for pattern in value.split(",")]
    try:
        return config.check_patterns([pattern for pattern in patterns if pattern], "")
    except ConfigError as error:
        raise click.BadParameter(str(error)) from None


@click.command(short_help="Find the in-place writes that break gradients.")
@click.argument("paths", nargs=-1, metavar="[PATH ...]", type=click.Path())
@click.option(
    "--output-format",
    metavar="NAME",
    type=click.Choice(list(FORMATS)),
    default="full",
    help=f"How to print findings: {', '.join(FORMATS)}.",
)
@click.option(
    "--output-file",
    "-o",
    metavar="FILE",
    type=click.Path(),
    help="Write the findings to FILE; the summary is still printed.",
)
@click.option(
    "--severity",
    metavar="LEVEL",
    type=click.Choice(SEVERITIES),
    default="hint",
    show_default=True,
    help=f"{', '.join(SEVERITIES)}: exit with 1 only for findings at least this severe; all are printed.",
)
@click.option(
    "--select",
    callback=_read_codes,
    metavar="CODE,...",
    help="Report only these codes; IP1 stands for all that start with IP1.",
)
@click.option("--suggest", is_flag=True, help="Report also where an op may write in place (IP5), which is no problem.")
@click.option("--ignore", callback=_read_codes, metavar="CODE,...", help="Do not report these codes.")
@click.option(
    "--exclude",
    callback=_read_patterns,
    metavar="PATTERN,...",
    help="Skip files and folders that match, in place of those that the configuration excludes.",
)
@click.option(
    "--extend-exclude",
    callback=_read_patterns,
    metavar="PATTERN,...",
    help="Skip files and folders that match, too.",
)
@click.option("--force-exclude", is_flag=True, help="Skip excluded files even if they are named on the command line.")
@click.option("--stdin-filename", metavar="NAME", help="The file name to report for standard input (`-`).")
@click.option("--baseline", metavar="FILE", help="Report only findings that are not recorded in FILE.")
@click.option("--write-baseline", is_flag=True, help="Record all current findings in the FILE of --baseline.")
@click.option("--changed-since", metavar="REF", help="Report only findings on lines changed since the git commit REF.")
@click.option(
    "--statistics",
    is_flag=True,
    help="Print counts: findings by code, functions analysed fully, partly or not, and why.",
)
@click.option("--show-fixes", is_flag=True, help="Show the best repair of each finding; much slower.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked, without checking them.")
@click.option("--show-settings", is_flag=True, help="Show the configuration in use, without checking anything.")
@click.option("--fix/--no-fix", help="Make the safe repairs, then report the remaining findings.")
@click.option(
    "--unsafe-fixes/--no-unsafe-fixes",
    help="With --fix or --diff: include repairs that may change what the program does.",
)
@click.option("--diff", is_flag=True, help="Show what --fix (or --suppress) would change, without changing it.")
@click.option("--suppress", metavar="REASON", help="Add a comment that hides each finding and gives the REASON.")
@click.option("--allow-syntax-errors", is_flag=True, help="Do not exit with 2 because of statements that do not parse.")
@click.option(
    "--exit-zero", is_flag=True, help="Exit with 0 even if there are findings or files that cannot be checked."
)
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if --fix repairs anything.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("--quiet", "-q", is_flag=True, help="Print only findings and problems: no progress, no summary.")
@progress_option()
@environment_option()
@click.option("--infer-types", is_flag=True, help="Let jedi infer missing types, as editors do; slow.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache of earlier results.")
@executor_option("Where to check: on this machine, or on a Dask or Ray cluster.")
@jobs_option()
@click.pass_context
def check(context: click.Context, /, **options: Any) -> None:
    """Find in-place writes that break gradients in PATHs: files, folders, or `-` for standard input.

    Without a PATH: the current folder. Exit status: 0 nothing found, 1 findings, 2 something could not be checked.
    """
    wanted = CheckOptions(**fill_from_config(context, options))
    refuse_jobs(wanted.jobs, wanted.executor)
    if wanted.suppress is not None:
        _refuse_together("--suppress", fix=wanted.fix, unsafe_fixes=wanted.unsafe_fixes)
        if not wanted.suppress.strip():
            raise click.UsageError("--suppress needs a reason, which goes into the comments")
    if wanted.write_baseline:
        if wanted.baseline is None:
            raise click.UsageError("--write-baseline needs --baseline FILE")
        _refuse_together(
            "--write-baseline", diff=wanted.diff, suppress=wanted.suppress is not None, watch=wanted.watch,
            changed_since=wanted.changed_since is not None,
        )  # fmt: skip
    if wanted.show_fixes and not FORMATS[wanted.output_format].repairs:
        able = ", ".join(name for name, form in FORMATS.items() if form.repairs)
        raise click.UsageError(f"{wanted.output_format} shows no repairs; --show-fixes needs one of {able}")
    if wanted.watch:
        _refuse_together("--watch", diff=wanted.diff, show_files=wanted.show_files, show_settings=wanted.show_settings)
        if wanted.reads_stdin:
            raise click.UsageError("--watch cannot watch standard input")
        from inplace_lsp.cli.watch import watch_files  # noqa: PLC0415  (few checks watch)

        sys.exit(watch_files(wanted))
    sys.exit(check_once(wanted))


def _refuse_together(option: str, **others: bool) -> None:
    for name, given in others.items():
        if given:
            raise click.UsageError(f"{option} and --{name.replace('_', '-')} cannot go together")
