"""textDocument/hover: what a hazard is and how it came; why a write is fine; what an op saves; what a tensor is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from inplace_lsp.explanations import explanation_of
from inplace_lsp.hazards import registry
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp import verified_hover, why_fine
from inplace_lsp.lsp.session import Result, Session
from inplace_lsp.lsp.sources import Sources
from inplace_lsp.report.tape_text import tape_markdown, tape_text
from inplace_lsp.report.urls import hazard_url
from inplace_lsp.tape.model import Create, Save, Span, View, Write

WAIT_SECONDS = 2.0
_WORD = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_CODE = re.compile(r"\bIP\d{3}\b")


async def handle(session: Session, params: types.HoverParams) -> types.Hover | None:
    """The sections that have something to say about the place, one below the other."""
    result = await session.current(params.text_document.uri, WAIT_SECONDS)
    place = result.program.place(params.text_document.uri, params.position) if result else None
    if result is None or place is None:
        return None
    sources = Sources({**session.opened(result.program.key), result.program.filename: result.program.text})
    sections = list(Hovered(result, sources, place[0], place[1], markdown=session.client.markdown).all())
    if not sections:
        return None
    kind = types.MarkupKind.Markdown if session.client.markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, "\n\n---\n\n".join(sections)))


class Hovered:
    """What can be said about one place of one analysed text."""

    def __init__(self, result: Result, sources: Sources, row: int, column: int, *, markdown: bool) -> None:
        self.analysis = result.analysis
        self.proved = verified_hover.Teller(result.verified, sources, markdown=markdown)
        self.file = result.program.filename
        self.row, self.column, self.markdown = row, column, markdown
        self.tapes = why_fine.tapes_at(result.analysis.tapes, self.file, row)
        self.line = result.program.line(row)
        self.word = self._word()

    def all(self) -> Iterator[str]:
        """Every section, the most pressing first."""
        if not self.line[self.column : self.column + 1].strip() and not self.word:
            return
        code = self._code_in_comment()
        if code:
            yield code
            return
        found = [one for one in self._findings() if why_fine.covers(one.span, self.file, self.row)]
        yield from self.proved.about(Span(self.file, self.row, 0, self.row, 0))
        for finding in found:
            yield self._finding(finding)
        if not found:
            yield from self._harmless()
        yield from self._op()
        yield from self._variable()

    def _findings(self) -> Iterator[Finding]:
        """Those that are reported; where there is none on the row, those that a comment or the configuration hides."""
        reported = [one for one in self.analysis.findings if why_fine.covers(one.span, self.file, self.row)]
        if reported:
            yield from reported
            return
        for tape, _ in why_fine.writes_at(self.tapes, self.file, self.row):
            yield from registry.findings(tape)

    def _finding(self, finding: Finding) -> str:
        hazard = registry.hazard(finding.code)
        parts = [self._title(finding), finding.message]
        if finding.assumptions:
            parts.append(f"Assumed: {', '.join(finding.assumptions)}.")
        if finding.story:
            parts.append(self._table(finding))
        if hazard is not None:
            parts.append(hazard.why.strip())
            parts.append(f"{self._bold('Instead')}: {hazard.instead.strip()}")
        return "\n\n".join(parts)

    def _title(self, finding: Finding) -> str:
        title = f"{self._bold(finding.code)} {finding.name}"
        return f"{title} ([documentation]({hazard_url(finding.code)}))" if self.markdown else title

    def _table(self, finding: Finding) -> str:
        return tape_markdown(finding.story) if self.markdown else tape_text(finding.story)

    def _harmless(self) -> Iterator[str]:
        for tape, write in why_fine.writes_at(self.tapes, self.file, self.row):
            yield why_fine.Teller(tape).why_fine(write)
        for tape, write in why_fine.declared_at(self.tapes, self.file, self.row):
            told = [one for one in self.analysis.findings if one.span == write.span]
            what = told[0].message if told else why_fine.Teller(tape).why_fine(write)
            yield f"`inplace=True` here makes line {write.span.row} write: {what}"

    def _op(self) -> Iterator[str]:
        """What the op whose name is under the cursor keeps; for another callee, what the ops of the statement keep."""
        last = self.word.rsplit(".", 1)[-1]
        seen: dict[str, None] = {}
        for tape in self.tapes:
            for event in tape.events:
                made = isinstance(event, (Create, Save, View, Write)) and event.op == last
                if made and why_fine.covers(event.span, self.file, self.row):
                    seen[why_fine.Teller(tape).with_reason(last, event.span)] = None
        if not seen and self._is_callee():
            tellers = (why_fine.Teller(tape) for tape in self.tapes)
            saved = next(filter(None, (one.what_is_saved_on(self.file, self.row) for one in tellers)), [])
            yield from ["\n".join(f"- {one}" for one in saved)] if saved else []
        yield from list(seen)[:1]

    def _is_callee(self) -> bool:
        return bool(self.word) and re.match(r"\w*\s*\(", self.line[self.column :]) is not None

    def _variable(self) -> Iterator[str]:
        parts = self.word.split(".")
        for end in range(len(parts), 0, -1):
            name = ".".join(parts[:end])
            told = (why_fine.Teller(tape).about(name, self.file, self.row) for tape in self.tapes)
            text = next(filter(None, told), "")
            if text:
                yield text
                return

    def _code_in_comment(self) -> str:
        for match in _CODE.finditer(self.line):
            found = explanation_of(match.group()) if match.start() <= self.column <= match.end() else None
            if found is not None:
                return f"{self._bold(found.code)} {found.name}\n\n{found.summary.strip()}\n\n{hazard_url(found.code)}"
        return ""

    def _word(self) -> str:
        """The dotted name up to and including the part under the cursor."""
        for match in _WORD.finditer(self.line):
            if match.start() <= self.column <= match.end():
                rest = self.line[self.column : match.end()]
                return self.line[match.start() : self.column] + rest.split(".", 1)[0]
        return ""

    def _bold(self, text: str) -> str:
        return f"**{text}**" if self.markdown else text
