"""One line a finding, as compilers print them: what every editor and log viewer can follow."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console

from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.text import finding_line


def write(outcome: Outcome, file: TextIO) -> None:
    """Write the lines; in colour where `file` is a terminal."""
    console = Console(file=file, soft_wrap=True, highlight=False, emoji=False, markup=False)
    for finding in outcome.findings:
        console.print(finding_line(finding, outcome.folder))
