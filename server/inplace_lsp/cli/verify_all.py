"""`inplace-lsp verify --all PATH`: every definition with findings, several at a time, verdicts as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click

from inplace_lsp.cli.output import shown
from inplace_lsp.cli.problems import FAILED, FOUND, problem
from inplace_lsp.files.read import UnreadableError, read
from inplace_lsp.files.walk import find_files
from inplace_lsp.verify import interpreter, many
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.many import State, Task
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.target import TargetError
from inplace_lsp.verify.verdict import why

TELLING = ("confirmed", "silent")


def verify_all(
    path: str, options: Options, *, python: str | None, launch: str, jobs: int, resume: str | None, as_lines: bool
) -> int:
    """Print a verdict for each; the exit status of the command. Raises ConfigError and StateError."""
    state = State(Path(resume) if resume else None)
    counts: dict[str, int] = {}
    problems: list[str] = []
    executor = ThreadPoolExecutor(jobs)
    try:
        for verdict in many.prove_all(_tasks(path, options, python, launch, problems), executor, state):
            counts[verdict["verdict"]] = counts.get(verdict["verdict"], 0) + 1
            click.echo(json.dumps(verdict) if as_lines else _line(verdict))
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        many.close()
    if not as_lines:
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


def _line(verdict: dict[str, Any]) -> str:
    reason = " ".join(why(verdict["verdict"], verdict["reason"]).split())
    return f"{shown(verdict['filename'])}::{verdict['function']}: {verdict['verdict']}: {reason}"
