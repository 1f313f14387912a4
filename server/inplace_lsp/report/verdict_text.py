"""A verdict as text: what was run on what, what torch said, and the code frame of every violation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from inplace_lsp.report.paths import shown_path
from inplace_lsp.report.text import finding_text
from inplace_lsp.verify.verdict import Verdict

STYLES = {"confirmed": "bold red", "silent": "bold red", "not-reproduced": "bold green", "inconclusive": "bold yellow"}
NEXT = "next: "
"""How the note begins that says what to do about a verdict that is none."""
SHOWN_OUTPUT = 20
"""So many of the last lines that the code printed are shown."""


def verdict_text(verdict: Verdict, sources: Mapping[str, Sequence[str]], filename: str, folder: str) -> Iterator[Text]:
    """The lines to print; file names are shown relative to `folder` where they lie in it."""
    style = STYLES[verdict.verdict]
    yield Text.assemble((f"{shown_path(filename, folder)}::{verdict.function}", "bold"), ": ", (verdict.verdict, style))
    yield _line("why", verdict.why)
    if verdict.error:
        yield _line("torch" if verdict.violations else "error", verdict.error)
    yield _line("ran", _ran(verdict))
    yield _line("inputs", _inputs(verdict))
    for note in verdict.notes:
        is_next = note.startswith(NEXT)
        yield _line("next", note.removeprefix(NEXT)) if is_next else _line("note", note)
    for finding in verdict.findings:
        yield Text()
        yield from finding_text(finding, sources, folder)
    yield from _printed(verdict.output)


def _line(title: str, text: str) -> Text:
    return Text.assemble((f"  {title:<7}", "dim"), text)


def _ran(verdict: Verdict) -> str:
    return f"torch {verdict.torch} on {verdict.device}, seed {verdict.seed}, {verdict.seconds:.2f} s"


def _inputs(verdict: Verdict) -> str:
    if verdict.source == "program":
        return "none: the file was run as a program"
    given = ", ".join(f"{name}={text}" for name, text in verdict.arguments.items()) or "no arguments"
    return f"{given} ({verdict.source})"


def _printed(output: str) -> Iterator[Text]:
    lines = output.splitlines()
    if lines:
        yield Text()
        left_out = len(lines) - SHOWN_OUTPUT
        yield _line("output", f"(the last {SHOWN_OUTPUT} of {len(lines)} lines)" if left_out > 0 else "")
        yield from (Text(f"    {line}") for line in lines[-SHOWN_OUTPUT:])
