"""What a run has shown about a line: torch's own message, and the trace of what was observed."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.proofs import Held, Verified
from inplace_lsp.lsp.sources import Sources
from inplace_lsp.tape.model import Span

MOST_ROWS = 40
"""So many lines of a trace fit a hover; the others are left to `inplace/trace`."""


class Teller:
    """Tells of the proofs that hold for a text."""

    def __init__(self, verified: Verified, sources: Sources, *, markdown: bool) -> None:
        self._verified, self._sources, self._markdown = verified, sources, markdown

    def about(self, here: Span) -> Iterator[str]:
        """A section for each run that showed something on the line, or came through it where a hazard was foretold."""
        for held in self._verified.held:
            found = [one for one in held.shown if _covers(one, here)]
            if found:
                yield self._section(held, found[0])
            elif held.verdict.verdict == "not-reproduced" and held.is_about(here):
                yield f"{self._title(held)}\n\n{held.verdict.reason}\n\n{_ran(held)}"

    def _section(self, held: Held, finding: Finding) -> str:
        from inplace_lsp.report.trace_text import trace_text  # noqa: PLC0415  (only when there is something to show)

        parts = [self._title(held), finding.message]
        if held.verdict.error:
            parts += ["torch:" if self._markdown else "torch says:", self._block(held.verdict.error)]
        tape = held.tape
        if tape is not None:
            lines = trace_text(tape, self._sources, origin="observed", at=finding.span).splitlines()
            if len(lines) > MOST_ROWS:
                lines[MOST_ROWS:] = [f"... {len(lines) - MOST_ROWS} more lines"]
            parts.append(self._block("\n".join(lines)))
        return "\n\n".join([*parts, _ran(held)])

    def _title(self, held: Held) -> str:
        words = {"confirmed": "Confirmed by running", "silent": "Wrong gradient, seen by running"}
        title = words.get(held.verdict.verdict, "Not reproduced by running")
        return f"**{title}**" if self._markdown else title

    def _block(self, text: str) -> str:
        return f"```text\n{text.rstrip()}\n```" if self._markdown else text.rstrip()


def _covers(finding: Finding, here: Span) -> bool:
    return finding.span.file == here.file and finding.span.row <= here.row <= finding.span.end_row


def _ran(held: Held) -> str:
    verdict = held.verdict
    given = ", ".join(f"{name}={text}" for name, text in verdict.arguments.items()) or "no arguments"
    where = f"torch {verdict.torch} on {verdict.device}, seed {verdict.seed}"
    name = f"`{verdict.function}`" if held.proof.target.name else "the program"
    return f"Ran {name} with {given} (inputs: {verdict.source}; {where})."
