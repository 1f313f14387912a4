"""Findings with their code frames, as a terminal shows them."""

from __future__ import annotations

from typing import TextIO

from inplace_lsp.report.console import plain_console
from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.text import finding_text


def write(outcome: Outcome, file: TextIO) -> None:
    """Write each finding and an empty line; in colour where `file` is a terminal."""
    console = plain_console(file)
    for finding in outcome.findings:
        for line in finding_text(finding, outcome.sources, outcome.folder):
            console.print(line)
        console.print()
