"""Describe a finding in a hover: what to do, the steps that lead to the error, and what is assumed.

Editors show the message of the diagnostic themselves, above the hover or beside the line: it is not repeated here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inplace_lsp.hazards import registry
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.remedy import describe_own_remedy
from inplace_lsp.report.markdown import escape_prose
from inplace_lsp.report.predicted_tape import find_tape
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.report.story import Step, find_story
from inplace_lsp.report.urls import hazard_url
from inplace_lsp.tape.model import Tape

LONGEST_SOURCE = 60


class HazardDescriber:
    """Describes findings by their tapes."""

    def __init__(self, tapes: Iterable[Tape], sources: Mapping[str, list[str]], *, markdown: bool) -> None:
        self._tapes, self._sources, self._markdown = tuple(tapes), sources, markdown

    def describe_finding(self, finding: Finding) -> str:
        """Return what to do, then the steps that lead to the error, what is assumed, and where to read more."""
        parts = [self._describe_remedy(finding), self.describe_steps(finding) or self._escape_text(finding.message)]
        if finding.assumptions:
            parts.append(self._escape_text(f"Assuming: {', '.join(finding.assumptions)}."))
        parts.append(self._title_line(finding))
        return "\n\n".join(filter(None, parts))

    def _describe_remedy(self, finding: Finding) -> str:
        """Return what to do at this statement; if that is not clear, the usual advice for the code."""
        if here := describe_own_remedy(finding, self._sources):
            return f"{self._bold_text('Help')}: {self._escape_text(here)}."
        hazard = registry.find_hazard(finding.code)
        return "" if hazard is None else f"{self._bold_text('Help')}: {' '.join(hazard.instead.split())}"

    def describe_steps(self, finding: Finding) -> str:
        """Return the events that lead to the hazard as a list; "" if the tape does not show them."""
        steps = find_story(find_tape(self._tapes, finding), finding)
        return "\n".join(self._step_line(step, finding) for step in steps)

    def _step_line(self, step: Step, finding: Finding) -> str:
        """Return a line of the list: where, its source, what happens."""
        where = f"line {step.span.row}"
        if step.span.file != finding.span.file:
            where += f" of {step.span.file}"
        source = "" if step.assumed else source_line(step.span, self._sources)
        here = " (here)" if step.span == finding.span else ""
        what = f"{self._escape_text(step.words)}{here}"
        if step.assumed or not source:
            return f"- {what}"
        return f"- {self._bold_text(where)} {self._code_text(_shorten_source(source))}: {what}"

    def _title_line(self, finding: Finding) -> str:
        if self._markdown:
            return f"[{finding.code} {finding.name}]({hazard_url(finding.code)})"
        return f"{finding.code} {finding.name}: {hazard_url(finding.code)}"

    def _escape_text(self, text: str) -> str:
        return escape_prose(text) if self._markdown else text

    def _bold_text(self, text: str) -> str:
        return f"**{text}**" if self._markdown else text

    def _code_text(self, source: str) -> str:
        fence = "``" if "`" in source else "`"
        return f"{fence} {source} {fence}" if len(fence) > 1 else f"{fence}{source}{fence}"


def _shorten_source(source: str) -> str:
    return source if len(source) <= LONGEST_SOURCE else source[: LONGEST_SOURCE - 1].rstrip() + "…"
