"""Problems, reported to a person: one line on stderr, never a traceback."""

from __future__ import annotations

import traceback

import click

FOUND = 1
FAILED = 2
INTERRUPTED = 130


def print_problem(message: str) -> None:
    """Print one line on stderr."""
    click.echo(f"inplace-lsp: {' '.join(message.split())}", err=True)


class Problems:
    """Report what could not be done, and remember it for the exit status.

    `unchecked` lists what `check` could not do. If `tolerated`, problems are reported but do not fail the command.
    """

    def __init__(self, *, tolerated: bool = False) -> None:
        self.any = False
        self._tolerated = tolerated
        self.unchecked: list[str] = []
        self._configurations: set[str] = set()

    def report_problem(self, message: str, doing: str = "check") -> None:
        """Print that something cannot be done, and why."""
        self.any = True
        if doing == "check":
            self.unchecked.append(message)
        print_problem(f"cannot {doing} {message}")

    def report_configuration(self, error: Exception) -> None:
        """Print once for all its files that a configuration cannot be used, and what is used instead."""
        message = f"{str(error).rstrip('.')}. The defaults are used."
        if message not in self._configurations:
            self._configurations.add(message)
            self.report_problem(message, "use")

    def find_status(self, *, found: bool) -> int:
        """Return the exit status; `found` says whether a finding counts."""
        return FAILED if self.any and not self._tolerated else FOUND if found else 0


def describe_exception(error: BaseException) -> str:
    """Describe an unexpected exception in one line, with the place in our own code to report."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "inplace_lsp" in frame.filename]
    place = ours[-1].filename.rpartition("inplace_lsp")[2].lstrip("/\\") + f":{ours[-1].lineno}" if ours else "?"
    return f"{type(error).__name__} at {place}: {str(error) or 'no message'}"
