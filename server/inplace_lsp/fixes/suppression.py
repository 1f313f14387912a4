"""Write comments that hide a finding: `# inplace: ignore[IP101]` on its line, `# inplace: ignore-file[IP101]` on
top."""

from __future__ import annotations

import re

from inplace_lsp.hazards.edits import find_line_end
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.source import suppressions
from inplace_lsp.source.units import normalise_text
from inplace_lsp.tape.model import Span

_PROLOGUE = re.compile(r"#!|#.*?coding[:=]")


def hide_on_line(text: str, finding: Finding, reason: str = "") -> Edit:
    """Add the code to the ignore comment of the finding's line, or append a comment with the `reason`."""
    lines = normalise_text(text).split("\n")
    for hidden in suppressions.find_suppressions(text, finding.span.file):
        if not hidden.whole_file and hidden.codes and hidden.first_row <= finding.span.row <= hidden.last_row:
            close = lines[hidden.span.row - 1].index("]", hidden.span.column)
            return Edit(f", {finding.code}", Span(hidden.span.file, hidden.span.row, close, hidden.span.row, close))
    row = finding.span.end_row
    behind = lines[row - 1][finding.span.end_column :].lstrip()
    if behind and not behind.startswith("#"):  # more than this statement is on the line
        row = suppressions.find_last_row_of_logical_line(text, row)
    end = len(lines[row - 1].rstrip())
    comment = f"  # inplace: ignore[{finding.code}]{f'  {reason}' if reason else ''}"
    return Edit(comment, Span(finding.span.file, row, end, row, end))


def hide_in_file(text: str, finding: Finding) -> Edit:
    """Put a comment at the top of the file, below a `#!` line and the declaration of an encoding."""
    row = 1
    for line in normalise_text(text).split("\n")[:2]:
        if not _PROLOGUE.match(line):
            break
        row += 1
    return Edit(f"# inplace: ignore-file[{finding.code}]{find_line_end(text)}", Span(finding.span.file, row, 0, row, 0))
