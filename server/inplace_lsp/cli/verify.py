"""`inplace-lsp verify`: run a function, a line's function or a whole file under torch, and report what happens."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NoReturn

import click

from inplace_lsp.cli.options import executor_option, interpreter_option, jobs_option, refuse_jobs
from inplace_lsp.cli.pictures import FORMATS, draw_trace
from inplace_lsp.cli.problems import FAILED, FOUND, print_problem
from inplace_lsp.cli.run import count_processors
from inplace_lsp.cli.sources import Sources
from inplace_lsp.cli.verify_place import Verified, read_place, split_place
from inplace_lsp.config import ConfigError
from inplace_lsp.environments.find import locate_from_here
from inplace_lsp.executors import HERE, ExecutorError
from inplace_lsp.files.read import UnreadableError
from inplace_lsp.report.cells import lines_of_cells, move_verdict_to_cells
from inplace_lsp.report.lines import split_lines
from inplace_lsp.report.run_words import format_sentence
from inplace_lsp.verify import interpreter
from inplace_lsp.verify.as_json import as_json
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch, LaunchError
from inplace_lsp.verify.many import StateError
from inplace_lsp.verify.options import DEADLINE, KINDS, DeviceError, Options
from inplace_lsp.verify.prove import verify
from inplace_lsp.verify.target import TargetError
from inplace_lsp.verify.verdict import Verdict

OF_MANY = ("concise", "json-lines", "github", "gitlab", "junit", "sarif", "rdjson")
"""The formats that only --all has; it also has `text` and `json` of those for one verdict."""
STATUS = {"confirmed": FOUND, "silent": FOUND, "not-reproduced": 0, "inconclusive": FAILED}


@click.command("verify", short_help="Run a function with torch and compare with the findings.")
@click.argument("place", metavar="FILE[:LINE | ::QUALNAME]", type=click.Path(), required=False)
@click.option("--device", default="auto", metavar="auto|cpu|cuda[:N]", help="Where to run it.")
@click.option(
    "--output-format",
    metavar="NAME",
    type=click.Choice([*FORMATS, *OF_MANY]),
    default="text",
    help=f"text or json for the verdict, html or svg for a picture of the run; with --all also: {', '.join(OF_MANY)}.",
)
@click.option("--output-file", "-o", metavar="FILE", help="With --all: write the verdicts to FILE.")
@click.option(
    "--all", "everything", is_flag=True, help="Verify every function with findings in the file or folder FILE."
)
@executor_option("With --all: where to run, on this machine or on a Dask or Ray cluster.")
@jobs_option("With --all: how many to run at once.")
@click.option("--resume", metavar="FILE", help="With --all: store verdicts in FILE, and rerun only what has changed.")
@interpreter_option()
@click.option("--launch", default="", metavar="COMMAND", help="A command to start Python with, such as `ssh HOST`.")
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0.1),
    default=DEADLINE,
    help="The time that a run may take, in seconds, without waits for a processor. All runs together may take as much, "
    "and the trials that look for inputs as much again.",
)
@click.option("--seed", type=int, default=0, help="The random seed.")
@click.option(
    "--memory",
    metavar="[PLACE]",
    is_flag=False,
    flag_value="",
    help="Measure the memory that forward and backward need at PLACE, also with the writes in place that `check "
    "--suggest` offers. (A number means --memory-limit.)",
)
@click.option(
    "--memory-limit",
    type=click.FloatRange(min=0.1),
    metavar="GIB",
    help="How much memory a run may take, in GiB  [default: 4]",
)
@click.option("--allow-write", is_flag=True, help="Let the code write outside its temporary folder.")
@click.option("--allow-network", is_flag=True, help="Let it use the network.")
@click.option("--allow-subprocess", is_flag=True, help="Let it start processes.")
@click.option("--allow-signal", is_flag=True, help="Let it signal other processes.")
def command(
    *,
    place: str | None,
    device: str,
    output_format: str,
    output_file: str | None,
    everything: bool,
    executor: str,
    jobs: int | None,
    resume: str | None,
    python: str | None,
    launch: str,
    timeout: float,
    seed: int,
    memory: str | None,
    memory_limit: float | None,
    **allowed: bool,
) -> None:
    """Run the function at FILE:LINE, FILE::QUALNAME, or the whole FILE, and check whether the findings are real.

    This runs your code, in a sandbox with time, memory and file limits: it prevents accidents, but is no protection
    against malicious code. Exit status: 0 not reproduced, 1 confirmed or silent, 2 inconclusive or failed.
    """
    allow = tuple(kind for kind in KINDS if allowed[f"allow_{kind}"])
    if memory and (limit := _read_size(memory)) is not None:
        memory, memory_limit = None, memory_limit or limit
    place = place or memory
    if not place:
        raise click.UsageError("Missing argument 'FILE[:LINE | ::QUALNAME]'.")
    options = Options(device, timeout, seed, allow, None if memory_limit is None else int(memory_limit * (1 << 30)))
    with _end_on_errors(place, output_file):
        if everything:
            _check_options_for_all(output_format, executor=executor, jobs=jobs, measures=memory is not None)
            from inplace_lsp.cli.verify_all import verify_all  # noqa: PLC0415  (one place does not need it)

            status = verify_all(
                *(place, options),
                python=python,
                launch=launch,
                executor=executor,
                jobs=jobs or count_processors(),
                resume=resume,
                output_format=output_format,
                output_file=output_file,
            )
        else:
            _refuse_what_is_for_all(output_format, output_file=output_file, executor=executor, resume=resume, jobs=jobs)
            run = _measure_place if memory is not None else _verify_place
            status = run(place, options, python=python, launch=launch, output_format=output_format)
    sys.exit(status)


def _verify_place(place: str, options: Options, *, python: str | None, launch: str, output_format: str) -> int:
    """Verify one place, print the verdict and return the exit status."""
    verified = _read_place(place, python)
    with _start_client(verified, python, launch) as client:
        verdict = verify(verified.subject, client, options)
    _print_verdict(verdict, verified, output_format)
    return STATUS[verdict.verdict]


def _measure_place(place: str, options: Options, *, python: str | None, launch: str, output_format: str) -> int:
    """Measure the memory that one place needs, print it and return the exit status."""
    from inplace_lsp.cli.measure import measure_place  # noqa: PLC0415  (few runs measure)

    verified = _read_place(place, python)
    with _start_client(verified, python, launch) as client:
        return measure_place(verified, client, options, output_format)


def _read_place(place: str, python: str | None) -> Verified:
    verified = read_place(place)
    return replace(verified, subject=replace(verified.subject, python=locate_from_here(python)))


def _start_client(verified: Verified, python: str | None, launch: str) -> Client:
    return Client(Launch.parse(interpreter.choose_interpreter(verified.subject.filename, python), launch))


@contextmanager
def _end_on_errors(place: str, output_file: str | None) -> Iterator[None]:
    """Turn what users can do something about into a line on stderr, and end."""
    try:
        yield
    except UnreadableError as error:
        _fail_with(f"cannot read {split_place(place)[0]}: {error}")
    except (TargetError, LaunchError, DeviceError) as error:
        _fail_with(f"{place}: {error}")
    except (ConfigError, StateError, ExecutorError) as error:
        _fail_with(str(error))
    except OSError as error:
        if output_file is None or error.filename != output_file:
            raise
        _fail_with(f"cannot write the verdicts to {error.filename}: {error.strerror or error}")


def _read_size(text: str) -> float | None:
    """Return the size that a text means; None if it is not a size."""
    try:
        size = float(text)
    except ValueError:
        return None
    return size if size > 0 else None


def _refuse_what_is_for_all(output_format: str, *, executor: str, **others: object) -> None:
    if output_format in OF_MANY:
        raise click.UsageError(f"{output_format} is for --all")
    if executor != HERE:
        others["executor"] = executor
    for option, value in others.items():
        if value is not None:
            raise click.UsageError(f"--{option.replace('_', '-')} is for --all")


def _check_options_for_all(output_format: str, *, executor: str, jobs: int | None, measures: bool) -> None:
    """Raise UsageError for what `--all` cannot do."""
    if measures:
        raise click.UsageError("--memory measures one place, not --all")
    if output_format not in ("text", "json", *OF_MANY):
        raise click.UsageError(
            f"--all draws no pictures; it prints text, json (one object a line), {', '.join(OF_MANY)}"
        )
    refuse_jobs(jobs, executor)


def _fail_with(message: str) -> NoReturn:
    print_problem(message)
    sys.exit(FAILED)


def _print_verdict(verdict: Verdict, verified: Verified, output_format: str) -> None:
    subject, notebook = verified.subject, verified.notebook
    notebooks = {} if notebook is None else {subject.filename: notebook}
    verdict = move_verdict_to_cells(verdict, notebooks)
    if output_format == "json":
        if verdict.output:
            click.echo(verdict.output, err=True, nl=False)
        click.echo(json.dumps(as_json(verdict), indent=2))
        return
    sources = Sources(())
    sources[subject.filename] = split_lines(subject.text)
    sources.update(lines_of_cells(notebooks))
    if output_format != "text":
        _draw_verdict(verdict, sources, output_format)
        return
    from inplace_lsp.report.console import make_plain_console  # noqa: PLC0415  (JSON does not need rich)
    from inplace_lsp.report.verdict_text import verdict_text  # noqa: PLC0415
    from inplace_lsp.report.widths import find_columns  # noqa: PLC0415

    console = make_plain_console(sys.stdout)
    for line in verdict_text(verdict, sources, subject.filename, os.getcwd(), find_columns(sys.stdout)):
        console.print(line)
    if verdict.violations and verdict.tape is not None:
        click.echo()
        at, title = verdict.violations[0].written, _make_picture_title(verdict)
        click.echo(draw_trace(verdict.tape, sources, "text", origin="observed", at=at, title=title), nl=False)


def _make_picture_title(verdict: Verdict) -> str:
    """Return the title of a picture without a write to saved memory."""
    finding_lines = (f"line {finding.span.row}: {finding.message}" for finding in verdict.findings)
    return next(finding_lines, f"{verdict.function}: {verdict.verdict}")


def _draw_verdict(verdict: Verdict, sources: Sources, form: str) -> None:
    """Print the picture to standard output and the verdict, which it does not show, to standard error."""
    click.echo(f"{verdict.function}: {verdict.verdict}. {format_sentence(verdict.why)}", err=True)
    if verdict.tape is None:
        return
    at = verdict.violations[0].written if verdict.violations else None
    click.echo(
        draw_trace(verdict.tape, sources, form, origin="observed", at=at, title=_make_picture_title(verdict)), nl=False
    )
