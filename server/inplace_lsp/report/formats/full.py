"""Findings with their code frames, as a terminal shows them."""

from __future__ import annotations

from typing import TextIO

from rich.text import Text

from inplace_lsp.report.console import make_plain_console, print_text
from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.text import finding_text
from inplace_lsp.report.widths import find_columns

_LINE_END, _NOTHING = Text("\n"), Text()


def write(outcome: Outcome, file: TextIO) -> None:
    """Write each finding and an empty line, in the columns of `file`; in colour where it is a terminal."""
    console, columns = make_plain_console(file), find_columns(file)
    for finding in outcome.findings:
        lines = finding_text(finding, outcome.sources, outcome.folder, columns)
        print_text(console, _LINE_END.join((*lines, _NOTHING)))
