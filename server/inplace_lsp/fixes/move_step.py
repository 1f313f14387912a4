"""A step that comes too early goes behind the last backward that needs the old values."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.candidate import Candidate
from inplace_lsp.fixes.site import Site, site_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.source.units import normalise
from inplace_lsp.tape.model import Span

WARNING = "what runs between sees the old values, and the step the gradients of the later backward too"


def move_step(text: str, finding: Finding) -> Iterator[Candidate]:
    """For IP102, where the step and the backward are statements of one block."""
    backwards = [one.span for one in finding.related if one.role == "backward" and one.span.file == finding.span.file]
    step = site_at(text, finding.span) if finding.code == "IP102" else None
    last = max(backwards, key=lambda span: span.row, default=None)
    after = site_at(text, last) if last is not None else None
    if step is None or after is None or not _movable(step, after) or _zeroed_between(text, step, after):
        return
    lines = normalise(text).split("\n")
    here, there = step.tree.span(step.line), after.tree.span(after.line)
    start, end = _whole_lines(here), there.end_row
    moved = "".join(f"{line}\n" for line in lines[start.row - 1 : start.end_row - 1])
    target = Span(there.file, end + 1, 0, end + 1, 0)
    message = f"Move it behind the backward on line {there.row}"
    yield Candidate(message, (Edit("", start), Edit(moved, target)), (), (WARNING,))


def _movable(step: Site, after: Site) -> bool:
    here, there = step.tree.span(step.line), after.tree.span(after.line)
    alone = step.is_alone and after.is_alone
    return alone and here.end_row < there.row and here.column == there.column and _block(step) == _block(after)


def _block(site: Site) -> Span | None:
    """The block of statements that a site stands in; None for the module."""
    parent = site.tree.parent(site.line)
    return site.tree.span(parent) if isinstance(parent, cst.IndentedBlock) else None


def _zeroed_between(text: str, step: Site, after: Site) -> bool:
    """Whether the gradients that the step would use are cleared on the way."""
    here, there = step.tree.span(step.line), after.tree.span(after.line)
    owner = step.tree.code(step.statement).split(".")[0].strip()
    return any(f"{owner}.zero_grad" in line for line in normalise(text).split("\n")[here.end_row : there.row])


def _whole_lines(span: Span) -> Span:
    return Span(span.file, span.row, 0, span.end_row + 1, 0)
