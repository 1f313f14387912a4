"""`inplace-lsp verify --all PATH`: every definition with findings, several at a time, verdicts as they come."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from inplace_lsp.cli.output import shown
from inplace_lsp.cli.problems import FAILED, FOUND, problem
from inplace_lsp.cli.verdicts import opened, printer_of
from inplace_lsp.files.read import UnreadableError, read
from inplace_lsp.files.walk import find_files
from inplace_lsp.verify import interpreter, many
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.many import State, Task
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.target import TargetError
from inplace_lsp.verify.verdict import TELLING

FOR_PEOPLE = ("text", "concise")
"""The formats that a last line for people may follow."""


def verify_all(
    path: str,
    options: Options,
    *,
    python: str | None,
    launch: str,
    jobs: int,
    resume: str | None,
    output_format: str,
    output_file: str | None,
) -> int:
    """Print a verdict for each; the exit status of the command. Raises ConfigError, StateError, OSError for the output
    file, and MissingPackageError."""
    state = State(Path(resume) if resume else None)
    counts: dict[str, int] = {}
    problems: list[str] = []
    executor = ThreadPoolExecutor(jobs)
    with opened(output_file) as file:
        printer = printer_of(output_format, file)
        try:
            for verdict in many.prove_all(_tasks(path, options, python, launch, problems), executor, state):
                counts[verdict["verdict"]] = counts.get(verdict["verdict"], 0) + 1
                printer.add(verdict)
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
            many.close()
        printer.finish()
    if output_format in FOR_PEOPLE or output_file is not None:
        click.echo(", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "Nothing to verify.")
    if any(counts.get(name) for name in TELLING):
        return FOUND
    return FAILED if problems or counts.get("inconclusive") else 0


def _tasks(path: str, options: Options, python: str | None, launch: str, problems: list[str]) -> Iterator[Task]:
    """What there is to verify. Files that cannot be looked at are said, and go to `problems`."""

    def report(why: str) -> None:
        problems.append(why)
        problem(f"cannot verify {why}")

    for file in find_files((path,), report):
        try:
            chosen = Launch.parse(interpreter.choose(file, python), launch)
            yield from many.tasks_of(read(file), file, chosen, options)
        except (UnreadableError, TargetError) as error:
            report(f"{shown(file)}: {error}")
