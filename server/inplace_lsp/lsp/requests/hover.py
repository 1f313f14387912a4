"""textDocument/hover: explain a hazard, why a write is safe, what an op or operator saves, what a tensor is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from inplace_lsp.engine import find_code_at, function_at, tapes_at
from inplace_lsp.explanations import find_explanation
from inplace_lsp.hazards import registry
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.python.operators import METHODS
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.documents.sources import Sources
from inplace_lsp.lsp.requests import verified_hover
from inplace_lsp.lsp.session.view import SessionView
from inplace_lsp.report import safe_writes
from inplace_lsp.report.finding_markdown import HazardDescriber
from inplace_lsp.report.markdown import escape_prose
from inplace_lsp.report.neighbours import Neighbours
from inplace_lsp.report.urls import hazard_url
from inplace_lsp.tape.model import Create, Save, Span, Tape, View, Write

WAIT_SECONDS = 2.0
LAST_ROW = 10**9
_CODE = re.compile(r"\bIP\d{3}\b")


async def handle(session: SessionView, params: types.HoverParams) -> types.Hover | None:
    """Return the sections about the place, one below the other."""
    result = await session.current_result(params.text_document.uri, WAIT_SECONDS)
    place = result.program.place_of(params.text_document.uri, params.position) if result else None
    if result is None or place is None:
        return None
    sources = Sources({**session.open_texts(result.program.key), result.program.filename: result.program.text})
    sections = list(Hovered(result, sources, place[0], place[1], markdown=session.client.markdown).list_sections())
    if not sections:
        return None
    kind = types.MarkupKind.Markdown if session.client.markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, "\n\n---\n\n".join(sections)))


class Hovered:
    """Describes one place of an analysed text."""

    def __init__(self, result: Result, sources: Sources, row: int, column: int, *, markdown: bool) -> None:
        self.analysis = result.analysis
        self.proved = verified_hover.RunDescriber(result.verified, sources, markdown=markdown)
        self.hazards = HazardDescriber(result.analysis.tapes, sources, markdown=markdown)
        self.file = result.program.filename
        self.row, self.column, self.markdown = row, column, markdown
        self.text, self.line = result.program.text, result.program.line_text(row)
        self.place = self._find_place()
        known = safe_writes.find_tapes_around(result.analysis.tapes, self.place)
        self.around = known or list(tapes_at(self.text, self.file, row, result.analysis.facts))
        self.tapes = safe_writes.find_tapes_at(result.analysis.tapes if known else self.around, self.file, row)
        self.found = find_code_at(self.text, row, column)
        self._tellers: dict[int, safe_writes.TapeDescriber] = {}

    def list_sections(self) -> Iterator[str]:
        """Yield every section, the most important first."""
        if not self.line[self.column : self.column + 1].strip() and not self.found.name:
            return
        code = self._find_code_in_comment()
        if code:
            yield code
            return
        found = list(self._find_findings())
        sections = [self.hazards.describe_finding(finding) for finding in found]
        yield from sections
        yield from map(self._escape_text, self._describe_neighbours(found))
        yield from self.proved.describe_runs(Span(self.file, self.row, 0, self.row, 0))
        if not found:
            yield from map(self._escape_text, self._describe_safe_writes())
            yield from map(self._escape_text, self._describe_ops())
        words = {word for section in sections for word in section.split()}
        yield from map(self._escape_text, self._describe_variables(words))

    def _find_place(self) -> safe_writes.Place:
        """Return the row in its function, or in the module."""
        around = function_at(self.text, self.row)
        first, last = (around.row, around.end_row) if around is not None else (1, LAST_ROW)
        return safe_writes.Place(self.file, self.row, first, last)

    def _find_describer(self, tape: Tape) -> safe_writes.TapeDescriber:
        """Return the describer of a tape; it reads the whole tape once."""
        if id(tape) not in self._tellers:
            self._tellers[id(tape)] = safe_writes.TapeDescriber(tape)
        return self._tellers[id(tape)]

    def _find_findings(self) -> Iterator[Finding]:
        """Yield the reported findings; if the row has none, those that a comment or the configuration hides."""
        reported = [
            finding for finding in self.analysis.findings if safe_writes.covers_row(finding.span, self.file, self.row)
        ]
        if reported:
            yield from reported
            return
        for tape, _ in safe_writes.find_writes_at(self.tapes, self.file, self.row):
            hidden = registry.find_all(tape)
            yield from (span_ for span_ in hidden if safe_writes.covers_row(span_.span, self.file, self.row))

    def _describe_neighbours(self, found: list[Finding]) -> Iterator[str]:
        """Yield a sentence about the nearby writes that may stay, so that a reader does not remove them, too."""
        if all(registry.find_hazard(finding.code) is None for finding in found):
            return
        beside = Neighbours(self.tapes, self.analysis.findings).find_writes(self.place)
        if beside is not None and (sentence := " ".join(map(self._find_describer(beside[0]).explain_stay, beside[1]))):
            yield sentence

    def _describe_safe_writes(self) -> Iterator[str]:
        for tape, write in safe_writes.find_writes_at(self.tapes, self.file, self.row):
            yield self._find_describer(tape).explain_safe_write(write)
        for tape, write in safe_writes.find_declared_writes_at(self.tapes, self.file, self.row):
            blamed = [finding for finding in self.analysis.findings if finding.span == write.span]
            what = blamed[0].message if blamed else self._find_describer(tape).explain_safe_write(write)
            yield f"`inplace=True` here makes line {write.span.row} write: {what}"

    def _describe_ops(self) -> Iterator[str]:
        """Yield what the op under the cursor, a name or an operator, saves; for another callee, what the statement's
        ops save."""
        seen: dict[str, None] = {}
        for tape in self.tapes:
            teller = self._find_describer(tape)
            for op, span in self._find_ops(tape):
                seen[teller.describe_with_reason(op, span)] = None
        if not seen and self.found.called:
            tellers = (self._find_describer(tape) for tape in self.tapes)
            saved = next(filter(None, (teller.describe_saves_on(self.file, self.row) for teller in tellers)), [])
            yield from ["\n".join(f"- {line}" for line in saved)] if saved else []
        yield from (f"{sentence} (torch {self.analysis.torch})" for sentence in list(seen)[:1])

    def _find_ops(self, tape: Tape) -> Iterator[tuple[str, Span]]:
        """Yield the statement's ops that the name or operator under the cursor may stand for."""
        ops = self._list_op_names()
        for event in tape.events:
            if not isinstance(event, (Create, Save, View, Write)) or event.op not in ops:
                continue
            if safe_writes.covers_row(event.span, self.file, self.row):
                yield event.op, event.span

    def _list_op_names(self) -> tuple[str, ...]:
        """Return the op names that the name or operator under the cursor may stand for."""
        if not self.found.operator:
            return (self.found.name.rpartition(".")[2],)
        method = METHODS.get(self.found.operator.removesuffix("="), "")
        return (f"{method}_", method) if self.found.operator.endswith("=") else (method,)

    def _describe_variables(self, described: set[str]) -> Iterator[str]:
        """Yield a section about the tensor under the cursor, or the owner of the attribute or method there, unless a
        hazard's section has `described` it."""
        tellers = [self._find_describer(tape) for tape in self.around]
        parts = self.found.name.split(".")
        for end in range(len(parts), 0, -1):
            name = ".".join(parts[:end])
            if name in described:
                return
            text = (
                next(filter(None, (teller.describe_variable(name, self.place) for teller in tellers)), "")
                if name
                else ""
            )
            if text:
                yield text
                return

    def _find_code_in_comment(self) -> str:
        for match in _CODE.finditer(self.line):
            found = find_explanation(match.group()) if match.start() <= self.column <= match.end() else None
            if found is not None:
                title = f"**{found.code}** {found.name}" if self.markdown else f"{found.code} {found.name}"
                return f"{title}\n\n{found.summary.strip()}\n\n{hazard_url(found.code)}"
        return ""

    def _escape_text(self, text: str) -> str:
        return "\n".join(map(_escape_line, text.split("\n"))) if self.markdown else text


def _escape_line(line: str) -> str:
    """Escape a line of ours for Markdown, keeping the sign of a list."""
    sign = "- " if line.startswith("- ") else ""
    return sign + escape_prose(line.removeprefix(sign))
