"""`inplace-lsp verify --all PATH`: every definition with findings, several at a time, verdicts as they come."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import click

from inplace_lsp.cli.output import display_path
from inplace_lsp.cli.problems import FAILED, FOUND, print_problem
from inplace_lsp.cli.verdicts import make_printer, open_output
from inplace_lsp.executors import HERE, WorkerPool, join_workers, parse_executor
from inplace_lsp.files.walk import find_files
from inplace_lsp.verify import many
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.many import Search, StoredVerdicts
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.verdict import TELLING

FOR_PEOPLE = ("text", "concise")
"""The formats after which a summary line is printed."""


def verify_all(
    path: str,
    options: Options,
    *,
    python: str | None,
    launch: str,
    executor: str,
    jobs: int,
    resume: str | None,
    output_format: str,
    output_file: str | None,
) -> int:
    """Print a verdict for each; the exit status of the command. Raises ConfigError, StateError, LaunchError,
    ExecutorError, and OSError for the output file."""
    state = StoredVerdicts(Path(resume) if resume else None)
    counts: dict[str, int] = {}
    problems: list[str] = []
    Launch.parse(python or "", launch)  # report an invalid command once, not for each file

    def report_problem(why: str) -> None:
        problems.append(why)
        print_problem(f"cannot verify {why}")

    def report_file(filename: str, why: str) -> None:
        report_problem(f"{display_path(filename)}: {why}")

    searches = (Search(file, python, launch, options) for file in find_files((path,), report_problem))
    with open_output(output_file) as file, _start_pool(executor, options, jobs) as pool:
        printer = make_printer(output_format, file)
        for verdict in many.prove_files(searches, pool.executor, state, pool.lost, report_file):
            counts[verdict["verdict"]] = counts.get(verdict["verdict"], 0) + 1
            printer.print_verdict(verdict)
        printer.print_rest()
    if output_format in FOR_PEOPLE or output_file is not None:
        click.echo(", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "Nothing to verify.")
    if any(counts.get(name) for name in TELLING):
        return FOUND
    return FAILED if problems or counts.get("inconclusive") else 0


@contextmanager
def _start_pool(executor: str, options: Options, jobs: int) -> Iterator[WorkerPool]:
    """Yield the workers: torch processes here, `jobs` at a time, or the machines of an engine."""
    engine, address = parse_executor(executor)
    if engine != HERE:
        with join_workers(engine, address, gpu=options.device.startswith("cuda")) as pool:
            yield pool
        return
    threads = ThreadPoolExecutor(jobs)  # each thread has a process with torch
    try:
        yield WorkerPool(threads, ())
    finally:
        threads.shutdown(wait=True, cancel_futures=True)
        many.close_clients()
