"""A line per finding, as compilers print: any editor or log viewer can follow it."""

from __future__ import annotations

from typing import TextIO

from inplace_lsp.report.console import make_plain_console
from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.text import finding_line


def write(outcome: Outcome, file: TextIO) -> None:
    """Write the lines; in colour where `file` is a terminal."""
    console = make_plain_console(file)
    for finding in outcome.findings:
        console.print(finding_line(finding, outcome.folder))
