"""Options that several commands have, each in one place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from inplace_lsp.config import ConfigError, check_environment
from inplace_lsp.executors import HERE

_ONE_EACH = "one per processor"
_DIGITS = 20
Command = TypeVar("Command", bound=Callable[..., Any])


def jobs_option(described: str = "How many processes to use.") -> Callable[[Command], Command]:
    """Return the option `--jobs`."""
    count = click.IntRange(min=1)
    return click.option("--jobs", "-j", metavar="N", type=count, help=described, show_default=_ONE_EACH)


def executor_option(described: str) -> Callable[[Command], Command]:
    """Return the option `--executor`."""
    engines = "processes|dask:ADDRESS|ray:ADDRESS"
    return click.option("--executor", default=HERE, metavar=engines, help=described, show_default=True)


def environment_option() -> Callable[[Command], Command]:
    """Return the option `--python` of commands that only read: the interpreter or environment must exist."""
    described = "The Python or environment whose packages are read  [default: the project's]"
    return click.option("--python", metavar="PATH", default="", callback=_read_environment, help=described)


def _read_environment(_: click.Context, parameter: click.Parameter, value: str) -> str:
    try:
        return check_environment(value, "", [Path.cwd()])
    except ConfigError as error:
        raise click.BadParameter(str(error)) from None


def progress_option() -> Callable[[Command], Command]:
    """Return the option `--progress`."""
    described = "How to show how far it is on stderr: for people on a terminal, or as JSON for a program."
    return click.option("--progress", type=click.Choice(["auto", "json"]), default="auto", help=described)


def interpreter_option() -> Callable[[Command], Command]:
    """Return the option `--python` of commands that run code, perhaps on another machine."""
    described = "The Python or environment that has your torch  [default: the project's]"
    return click.option("--python", metavar="PATH", help=described)


def is_line_number(word: str) -> bool:
    """Return whether a word is the number of a line that a file can have."""
    return word.isdecimal() and len(word) < _DIGITS


def refuse_jobs(jobs: int | None, executor: str) -> None:
    """Raise UsageError for --jobs where an engine has the processes."""
    if jobs is not None and executor != HERE:
        raise click.UsageError(f"--jobs is for --executor {HERE}: Dask and Ray decide that themselves")
