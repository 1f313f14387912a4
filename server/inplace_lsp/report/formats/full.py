"""Findings with their code frames, as a terminal shows them."""

from __future__ import annotations

from typing import TextIO

from inplace_lsp.report.console import make_plain_console
from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.text import finding_text
from inplace_lsp.report.widths import find_columns


def write(outcome: Outcome, file: TextIO) -> None:
    """Write each finding and an empty line, in the columns of `file`; in colour where it is a terminal."""
    console, columns = make_plain_console(file), find_columns(file)
    for finding in outcome.findings:
        for line in finding_text(finding, outcome.sources, outcome.folder, columns):
            console.print(line)
        console.print()
