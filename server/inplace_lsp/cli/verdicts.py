"""Print many verdicts, line by line or as one report at the end."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

import click

from inplace_lsp.cli.output import display_path, find_repository
from inplace_lsp.cli.sources import Sources
from inplace_lsp.report.formats import FORMATS
from inplace_lsp.report.formats.junit import write_verdicts
from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.run_words import format_sentence
from inplace_lsp.report.verdicts import make_findings
from inplace_lsp.verify.as_json import VerdictJson


def format_verdict(verdict: VerdictJson) -> str:
    """Return a verdict as a line for people."""
    kind, reason = verdict["verdict"], " ".join(verdict["reason"].split())
    summary = reason if kind == "inconclusive" else f"{kind}. {format_sentence(reason)}"
    return f"{display_path(verdict['filename'])}::{verdict['function']}: {summary}"


LINES: dict[str, Callable[[VerdictJson], str]] = {
    "text": format_verdict,
    "concise": format_verdict,
    "json": json.dumps,
    "json-lines": json.dumps,
}
"""The formats that have a line for each verdict."""


class Printer(Protocol):
    """Prints verdicts."""

    def print_verdict(self, verdict: VerdictJson) -> None:
        """Add a verdict."""

    def print_rest(self) -> None:
        """Print what the format prints after the last verdict."""


class _LinePrinter:
    def __init__(self, line: Callable[[VerdictJson], str], file: TextIO) -> None:
        self._line, self._file = line, file

    def print_verdict(self, verdict: VerdictJson) -> None:
        click.echo(self._line(verdict), file=self._file)

    def print_rest(self) -> None:
        pass


class _ReportPrinter:
    def __init__(self, name: str, file: TextIO) -> None:
        self._name, self._file = name, file
        self._verdicts: list[VerdictJson] = []

    def print_verdict(self, verdict: VerdictJson) -> None:
        self._verdicts.append(verdict)

    def print_rest(self) -> None:
        here = os.getcwd()
        if self._name == "junit":
            write_verdicts(self._verdicts, here, self._file)
            return
        checked = list(dict.fromkeys(verdict["filename"] for verdict in self._verdicts))
        outcome = Outcome(make_findings(self._verdicts), Sources(()), here, find_repository(here), checked)
        FORMATS[self._name].write(outcome, self._file)


def make_printer(name: str, file: TextIO) -> Printer:
    """Return the printer for a format."""
    return _LinePrinter(LINES[name], file) if name in LINES else _ReportPrinter(name, file)


@contextmanager
def open_output(output_file: str | None) -> Iterator[TextIO]:
    """Yield the file to print to, or standard output. Raises OSError."""
    if output_file is None:
        yield sys.stdout
        return
    with open(output_file, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        yield file
