"""`inplace-lsp why`: from torch's error message to the line that wrote."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from inplace_lsp.cli import why_fix
from inplace_lsp.cli.check_options import STDIN
from inplace_lsp.cli.options import environment_option, jobs_option, progress_option
from inplace_lsp.cli.problems import FAILED, FOUND, Problems, describe_exception, print_problem
from inplace_lsp.cli.progress import ProgressForm, with_progress
from inplace_lsp.cli.reports import Job
from inplace_lsp.cli.run import count_processors, run_all
from inplace_lsp.cli.sources import Sources, find_notebooks, read_source
from inplace_lsp.config import DEFAULT, Config, ConfigError, config_for_file
from inplace_lsp.facts.models import is_model_file, make_facts
from inplace_lsp.files.read import UnreadableError, read_log
from inplace_lsp.files.walk import CHECKED, find_files
from inplace_lsp.notebooks import Notebook
from inplace_lsp.why.answer import Answer, explain_errors
from inplace_lsp.why.gather import FileClues, gather_clues, make_failed_file
from inplace_lsp.why.message import TorchError
from inplace_lsp.why.reading import read_errors


@click.command(short_help="Find the line that caused a PyTorch error message.")
@click.argument("file", metavar="[FILE|-]", default=STDIN, type=click.Path())
@click.argument("paths", nargs=-1, metavar="[PATH ...]", type=click.Path())
@click.option(
    "--output-format", type=click.Choice(["text", "json", "agent"]), default="text", help="How to print the answer."
)
@click.option("--fix", "wants_fix", is_flag=True, help="Repair the first candidate, if the repair is safe.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also if it may change what the program does.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, without changing it.")
@click.option("--quiet", "-q", is_flag=True, help="Print no progress.")
@progress_option()
@environment_option()
@jobs_option()
def why(
    *,
    file: str,
    paths: tuple[str, ...],
    output_format: str,
    wants_fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    quiet: bool,
    progress: ProgressForm,
    python: str,
    jobs: int | None,
) -> None:
    """Find the line that caused an in-place error: read torch's message or a whole log from FILE or standard input.

    PATHs are the files and folders of the program that failed (default: the current folder). Nothing is run. Exit
    status: 0 a candidate was found, 1 none fits, 2 no such message was found, or something could not be read.
    """
    errors = _read_errors(file)
    form = "none" if quiet and progress == "auto" else progress
    found = _gather_clues(paths or (".",), jobs or count_processors(), form, python=python)
    sources = Sources(())
    answer = explain_errors(errors, found, sources)
    if not diff:
        understood = (evidence for evidence in found if not evidence.error and (evidence.clues or evidence.gaps))
        _print_answer(
            answer, sources, find_notebooks(dict.fromkeys(clues.filename for clues in understood)), output_format
        )
    if answer.candidates and (diff or wants_fix):
        why_fix.repair_candidate(answer.candidates[0], unsafe=unsafe_fixes, show=diff)
    sys.exit(0 if answer.candidates else FOUND)


def _read_errors(file: str) -> Sequence[TorchError]:
    """Return torch's errors in the text; end the program if there are none."""
    name = "standard input" if file == STDIN else file
    if file == STDIN and sys.stdin.isatty():
        click.echo("Paste the error with its traceback, then press Ctrl-D.", err=True)
    try:
        text = read_log(None if file == STDIN else file)
    except UnreadableError as error:
        hint = f" (the log comes first: `inplace-lsp why - {file}` reads it from standard input)"
        print_problem(f"cannot read {name}: {error}{hint * os.path.isdir(file)}")
        sys.exit(FAILED)
    errors = read_errors(text)
    if not errors:
        print_problem(
            f"{name} contains no PyTorch error about an in-place write (such as `one of the variables needed for "
            "gradient computation has been modified by an inplace operation`); paste the whole message, with its "
            "traceback"
        )
        sys.exit(FAILED)
    return errors


def _find_config(name: str, python: str, problems: Problems) -> Config:
    """Return the configuration of a file, the defaults if it cannot be used; `python`: what the command line says."""
    try:
        found = config_for_file(name)
    except ConfigError as error:
        problems.report_configuration(error)
        found = DEFAULT
    return replace(found, python=python or found.python)


def _gather_clues(paths: tuple[str, ...], processes: int, form: ProgressForm, *, python: str) -> list[FileClues]:
    """Return the clues in the project's files."""
    problems = Problems()
    names = find_files(paths, problems.report_problem, CHECKED, lenient=True)
    jobs = [Job(name, _find_config(name, python, problems)) for name in names]
    if not jobs:
        print_problem("no Python files to search: name the folder of the program that failed")
        sys.exit(FAILED)
    found = run_all(_gather_from_file, jobs, processes, _report_dead_process)
    return sorted(with_progress(found, len(jobs), form), key=lambda clues: clues.filename)


def _gather_from_file(job: Job) -> FileClues:
    """Return the clues in one file. Raises only KeyboardInterrupt."""
    if is_model_file(job.filename, job.config.models):
        return FileClues(job.filename)
    try:
        return gather_clues(read_source(job.filename).program, job.filename, make_facts(job.config))
    except UnreadableError as error:
        return make_failed_file(job.filename, str(error))
    except Exception as error:
        return make_failed_file(job.filename, f"internal error: {describe_exception(error)}")


def _report_dead_process(job: Job) -> FileClues:
    return make_failed_file(job.filename, "internal error: the process that analysed it died")


def _print_answer(answer: Answer, sources: Sources, notebooks: Mapping[str, Notebook], output_format: str) -> None:
    if output_format == "json":
        from inplace_lsp.report.why_json import why_json  # noqa: PLC0415

        click.echo(json.dumps(why_json(answer, notebooks), indent=2))
        return
    if output_format == "agent":
        from inplace_lsp.report.for_agents import answer_for_agents  # noqa: PLC0415

        click.echo(json.dumps(answer_for_agents(answer, sources, notebooks), indent=2))
        return
    from inplace_lsp.report.cells import lines_of_cells  # noqa: PLC0415  (JSON needs none of these)
    from inplace_lsp.report.console import make_plain_console  # noqa: PLC0415
    from inplace_lsp.report.why_cells import move_answer_to_cells  # noqa: PLC0415
    from inplace_lsp.report.why_text import why_text  # noqa: PLC0415
    from inplace_lsp.report.widths import find_columns  # noqa: PLC0415

    console = make_plain_console(sys.stdout)
    sources.update(lines_of_cells(notebooks))
    moved = move_answer_to_cells(answer, notebooks)
    for line in why_text(moved, sources, os.getcwd(), find_columns(sys.stdout)):
        console.print(line)
