"""From a program to its analysis, as the command line would do it."""

from __future__ import annotations

from inplace_lsp.config import DEFAULT
from inplace_lsp.engine import Analysis
from inplace_lsp.lsp.convert import Program
from inplace_lsp.project import check_text


def analyse_program(program: Program) -> Analysis:
    """Runs in the analysis thread."""
    return check_text(program.text, program.filename, DEFAULT)
