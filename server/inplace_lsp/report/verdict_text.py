"""A verdict as text: the run and its inputs, torch's words, and the code frame of every violation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from inplace_lsp.report.paths import shown_path
from inplace_lsp.report.run_words import describe_inputs
from inplace_lsp.report.text import finding_text
from inplace_lsp.report.wrapping import UNLIMITED, wrap_line
from inplace_lsp.verify.verdict import Verdict

STYLES = {"confirmed": "bold red", "silent": "bold red", "not-reproduced": "bold green", "inconclusive": "bold yellow"}
NEXT = "next: "
"""First part of the note that says what to do about an inconclusive verdict."""
_TITLE = 9
SHOWN_OUTPUT = 20
"""Maximum number of lines of the code's own output: the last ones."""


def verdict_text(
    verdict: Verdict,
    sources: Mapping[str, Sequence[str]],
    filename: str,
    folder: str,
    columns: int = UNLIMITED,
) -> Iterator[Text]:
    """Yield the lines to print, in at most `columns`; file names are relative to `folder` where possible."""
    style = STYLES[verdict.verdict]
    yield Text.assemble((f"{shown_path(filename, folder)}::{verdict.function}", "bold"), ": ", (verdict.verdict, style))
    for line in _list_facts(verdict):
        yield from wrap_line(line, columns, _TITLE)
    for finding in verdict.findings:
        yield Text()
        yield from finding_text(finding, sources, folder, columns)
    yield from _output_lines(verdict.output)


def _list_facts(verdict: Verdict) -> Iterator[Text]:
    yield _titled_line("why", verdict.why)
    if verdict.error:
        yield _titled_line("torch" if verdict.violations else "error", verdict.error)
    yield _titled_line("ran", _describe_run(verdict))
    yield _titled_line("inputs", describe_inputs(verdict))
    for note in verdict.notes:
        is_next = note.startswith(NEXT)
        yield _titled_line("next", note.removeprefix(NEXT)) if is_next else _titled_line("note", note)


def _titled_line(title: str, text: str) -> Text:
    return Text.assemble((f"  {title}".ljust(_TITLE), "dim"), text)


def _describe_run(verdict: Verdict) -> str:
    return f"torch {verdict.torch} on {verdict.device}, seed {verdict.seed}, {verdict.seconds:.2f} s"


def _output_lines(output: str) -> Iterator[Text]:
    lines = output.splitlines()
    if lines:
        yield Text()
        hidden = len(lines) - SHOWN_OUTPUT
        yield _titled_line("output", f"(the last {SHOWN_OUTPUT} of {len(lines)} lines)" if hidden > 0 else "")
        yield from (Text(f"    {line}") for line in lines[-SHOWN_OUTPUT:])
