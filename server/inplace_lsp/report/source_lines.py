"""The source line of an event, as far as its file is known."""

from __future__ import annotations

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.tape.model import Span


def source_line(span: Span, sources: Sources) -> str:
    """Return the first line of the statement at `span` without indentation; "" if the file cannot be shown."""
    try:
        lines = sources[span.file]
    except KeyError:
        return ""
    return lines[span.row - 1].strip() if 0 < span.row <= len(lines) else ""
