"""Describe what a run has shown about a line: torch's own message, and the observed steps."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.documents.proofs import HeldProof, Verified
from inplace_lsp.lsp.documents.sources import Sources
from inplace_lsp.report.finding_markdown import HazardDescriber
from inplace_lsp.report.markdown import escape_prose
from inplace_lsp.report.run_words import describe_inputs
from inplace_lsp.tape.model import Span


class RunDescriber:
    """Describes the proofs that hold for a text."""

    def __init__(self, verified: Verified, sources: Sources, *, markdown: bool) -> None:
        self._verified, self._sources, self._markdown = verified, sources, markdown

    def describe_runs(self, here: Span) -> Iterator[str]:
        """Yield a section for each run that showed something on the line, or passed it where a hazard was predicted."""
        for held in self._verified.held:
            found = [finding for finding in held.shown if _covers_place(finding, here)]
            if found:
                yield self._describe_finding(held, found[0])
            elif held.verdict.verdict == "not-reproduced" and held.is_about(here):
                yield f"{self._make_title(held)}\n\n{self._escape_text(held.verdict.reason)}\n\n{_describe_run(held)}"

    def _describe_finding(self, held: HeldProof, finding: Finding) -> str:
        steps = ""
        if held.tape is not None:
            steps = HazardDescriber([held.tape], self._sources, markdown=self._markdown).describe_steps(finding)
        parts = [self._make_title(held), steps or self._escape_text(finding.message)]
        if held.verdict.error:
            parts += ["torch says:", self._code_block(held.verdict.error)]
        return "\n\n".join([*parts, _describe_run(held)])

    def _escape_text(self, text: str) -> str:
        return escape_prose(text) if self._markdown else text

    def _make_title(self, held: HeldProof) -> str:
        words = {"confirmed": "Confirmed by running", "silent": "Wrong gradient, seen by running"}
        title = words.get(held.verdict.verdict, "Not reproduced by running")
        return f"**{title}**" if self._markdown else title

    def _code_block(self, text: str) -> str:
        return f"```text\n{text.rstrip()}\n```" if self._markdown else text.rstrip()


def _covers_place(finding: Finding, here: Span) -> bool:
    return finding.span.file == here.file and finding.span.row <= here.row <= finding.span.end_row


def _describe_run(held: HeldProof) -> str:
    verdict = held.verdict
    where = f"torch {verdict.torch}, {verdict.device}, seed {verdict.seed}"
    name = f"`{verdict.function}`" if held.proof.target.name else "the program"
    return f"Ran {name} on {where}; inputs: {describe_inputs(verdict)}."
