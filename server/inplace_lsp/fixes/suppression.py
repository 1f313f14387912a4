"""Comments that hide a finding: `# inplace: ignore[IP101]` on its line, `# inplace: ignore-file[IP101]` on top."""

from __future__ import annotations

import re

from inplace_lsp.fixes.program.edits import line_end
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.source import suppressions
from inplace_lsp.source.units import normalise
from inplace_lsp.tape.model import Span

_PROLOGUE = re.compile(r"#!|#.*?coding[:=]")


def hide_on_line(text: str, finding: Finding, reason: str = "") -> Edit:
    """Write the code into the comment of the finding's line, or a comment with the `reason` behind the line."""
    lines = normalise(text).split("\n")
    for one in suppressions.find(text, finding.span.file):
        if not one.whole_file and one.codes and one.first_row <= finding.span.row <= one.last_row:
            close = lines[one.span.row - 1].index("]", one.span.column)
            return Edit(f", {finding.code}", Span(one.span.file, one.span.row, close, one.span.row, close))
    row = finding.span.end_row
    behind = lines[row - 1][finding.span.end_column :].lstrip()
    if behind and not behind.startswith("#"):  # more than this statement is on the line
        row = suppressions.last_row_of_line(text, row)
    end = len(lines[row - 1].rstrip())
    comment = f"  # inplace: ignore[{finding.code}]{f'  {reason}' if reason else ''}"
    return Edit(comment, Span(finding.span.file, row, end, row, end))


def hide_in_file(text: str, finding: Finding) -> Edit:
    """Put a comment at the top of the file, below a `#!` line and the declaration of an encoding."""
    row = 1
    for line in normalise(text).split("\n")[:2]:
        if not _PROLOGUE.match(line):
            break
        row += 1
    return Edit(f"# inplace: ignore-file[{finding.code}]{line_end(text)}", Span(finding.span.file, row, 0, row, 0))
