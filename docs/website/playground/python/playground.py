"""The analyser as the playground asks for it: one program, answers as JSON. It runs in the browser, under Pyodide."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inplace_lsp.analysis import Analysis
from inplace_lsp.config import DEFAULT
from inplace_lsp.facts.models import make_facts
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.remedy import add_advice
from inplace_lsp.project import check_text
from inplace_lsp.report.as_json import as_json
from inplace_lsp.report.lines import split_lines
from inplace_lsp.report.predicted_tape import find_tape
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.report.story import Step, find_story
from inplace_lsp.report.trace_svg import trace_svg
from inplace_lsp.report.why_json import why_json
from inplace_lsp.tape.plain import Plain
from inplace_lsp.why.answer import explain_errors
from inplace_lsp.why.gather import gather_clues
from inplace_lsp.why.reading import read_errors

FILE = "/home/pyodide/program.py"
"""The program's name; nothing lies there."""
NO_MESSAGE = (
    "This contains no PyTorch error about an in-place write, such as `one of the variables needed for gradient "
    "computation has been modified by an inplace operation`. Paste the whole message, with its traceback."
)
NO_CAUSE = "Nothing in this program fits the message. Is it the one that failed?"
NO_REPAIRS = (
    "No repairs are computed for this program: it uses syntax newer than Python 3.8 (such as `match`), which the "
    "parser of the repairs does not read in a browser. The command line and the editors repair it."
)


@dataclass(slots=True)
class Playground:
    """A program that somebody edits: what an edit leaves valid is not analysed again."""

    text: str = ""
    _last: Analysis | None = None
    _findings: tuple[Finding, ...] = ()
    _facts = make_facts(DEFAULT)
    _sources: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def check(self, text: str) -> str:
        """Return the findings in `text`, with their stories, and what was not understood."""
        self._last = check_text(text, FILE, DEFAULT, self._facts, self._last)
        self.text, self._sources = text, {FILE: split_lines(text)}
        self._findings = tuple(add_advice(finding, self._sources) for finding in self._last.findings)
        findings = [
            {**record, "story": [self._describe_step(step, finding) for step in self._story_of(finding)]}
            for record, finding in zip(as_json(self._findings), self._findings, strict=True)
        ]
        gaps = [
            {"row": gap.place.row, "function": gap.function, "reason": gap.reason}
            for gap in self._last.gaps
            if not gap.partly
        ]
        return json.dumps({"findings": findings, "gaps": gaps, "functions": self._last.functions})

    def _story_of(self, finding: Finding) -> tuple[Step, ...]:
        assert self._last is not None
        return find_story(find_tape(self._last.tapes, finding), finding)

    def _describe_step(self, step: Step, finding: Finding) -> dict[str, Plain]:
        source = "" if step.assumed else source_line(step.span, self._sources)
        return {"row": step.span.row, "source": source, "words": step.words, "here": step.span == finding.span}

    def repair(self, number: int) -> str:
        """Return the repairs of a finding, each with the whole text that it leaves."""
        from inplace_lsp.fixes.offer import fixes_for  # noqa: PLC0415  (loads the syntax trees)

        if not _is_readable(self.text):
            return json.dumps({"problem": NO_REPAIRS, "repairs": []})
        fixes = fixes_for(self.text, self._findings[number], self._last)
        repairs = [
            {
                "title": fix.message,
                "applicability": fix.applicability,
                "text": apply_edits(self.text, fix.edits) if fix.edits else None,
            }
            for fix in fixes
        ]
        return json.dumps({"problem": None, "repairs": repairs})

    def draw(self, number: int, width: int = 0) -> str:
        """Return the picture of what happens to the tensor of a finding, as SVG of at most so many pixels."""
        assert self._last is not None
        finding = self._findings[number]
        tape = find_tape(self._last.tapes, finding)
        return trace_svg(tape, self._sources, origin="predicted", at=finding.span, title=finding.message, width=width)

    def explain(self, message: str) -> str:
        """Return which writes of the program explain an error of PyTorch's."""
        errors = read_errors(message)
        if not errors:
            return json.dumps({"problem": NO_MESSAGE, "candidates": []})
        answer = explain_errors(errors, [gather_clues(self.text, FILE, self._facts)], self._sources)
        return json.dumps({"problem": None if answer.candidates else NO_CAUSE, **why_json(answer)})


def _is_readable(text: str) -> bool:
    """Return whether the parser that repairs work with can read a text."""
    import libcst  # noqa: PLC0415

    try:
        libcst.parse_module(text)
    except libcst.ParserSyntaxError:
        return False
    return True
