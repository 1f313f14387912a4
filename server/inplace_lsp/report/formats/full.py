"""Findings with their code frames, as a terminal shows them."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console

from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.text import finding_text


def write(outcome: Outcome, file: TextIO) -> None:
    """Write each finding and an empty line; in colour where `file` is a terminal."""
    console = Console(file=file, soft_wrap=True, highlight=False, emoji=False, markup=False)
    for finding in outcome.findings:
        for line in finding_text(finding, outcome.sources, outcome.folder):
            console.print(line)
        console.print()
