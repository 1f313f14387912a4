"""A tape in every form that the command line prints."""

from __future__ import annotations

import json
import os
import shutil
import sys

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.trace import Origin
from inplace_lsp.tape.model import Span, Tape

FORMATS = ("text", "json", "html", "svg")


def draw_trace(
    tape: Tape, sources: Sources, form: str, *, origin: Origin, at: Span | None = None, title: str = ""
) -> str:
    """Return the trace of `tape` in the format `form`, with a line end."""
    if form == "json":
        from inplace_lsp.report.trace_json import trace_json  # noqa: PLC0415

        return json.dumps(trace_json(tape, origin=origin, at=at, title=title), indent=2) + "\n"
    if form == "html":
        from inplace_lsp.report.trace_html import trace_html  # noqa: PLC0415  (loads the templates)

        return trace_html(tape, sources, origin=origin, at=at, title=title) + "\n"
    if form == "svg":
        from inplace_lsp.report.trace_svg import trace_svg  # noqa: PLC0415

        return trace_svg(tape, sources, origin=origin, at=at, title=title)
    from inplace_lsp.report.trace_text import trace_text  # noqa: PLC0415

    columns = shutil.get_terminal_size(fallback=(0, 0)).columns
    plain = not _shows_lines()
    text = trace_text(tape, sources, origin=origin, at=at, title=title, ascii_only=plain, width=columns)
    return text.replace(os.getcwd() + os.sep, "")


def _shows_lines() -> bool:
    """Return whether the terminal has box-drawing characters."""
    try:
        "╭│├╰─●▶✗".encode(sys.stderr.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
