"""The edit that inserts the comment naming the inputs, where none were found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span

if TYPE_CHECKING:
    from inplace_lsp.lsp.documents.convert import Program
    from inplace_lsp.lsp.documents.proofs import HeldProof

TITLE = "Insert a `# inplace: verify(...)` comment to fill in"


def make_directive_edit(program: Program, held: HeldProof) -> Edit | None:
    """Return the edit that inserts the comment above the function; None if there is none to insert."""
    missing = held.verdict.missing
    if held.verdict.verdict != "inconclusive" or missing is None or not missing.directive:
        return None
    row = missing.row - held.proof.target.row + held.row
    line = program.line_text(row)
    indentation = line[: len(line) - len(line.lstrip())]
    at = Span(program.filename, row, len(indentation), row, len(indentation))
    return Edit(f"{missing.directive.strip()}\n{indentation}", at)
