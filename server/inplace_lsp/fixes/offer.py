"""The repairs of a finding: written, then judged by an analysis of the edited text, and only then offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import libcst as cst

from inplace_lsp.engine import Analysis, analyse
from inplace_lsp.fixes.behind import newly_reached, text_without
from inplace_lsp.fixes.candidate import Candidate
from inplace_lsp.fixes.carried import carried
from inplace_lsp.fixes.clone_at_save import clone_at_save
from inplace_lsp.fixes.clone_first import clone_first
from inplace_lsp.fixes.codes import REPAIRABLE
from inplace_lsp.fixes.declared import drop_flag
from inplace_lsp.fixes.edits import apply_edits, line_end
from inplace_lsp.fixes.holders import holders
from inplace_lsp.fixes.inference import no_inference_mode
from inplace_lsp.fixes.list_stack import list_stack
from inplace_lsp.fixes.masked import masked_fill
from inplace_lsp.fixes.move_behind import move_behind
from inplace_lsp.fixes.no_grad import no_grad, no_grad_all_the_same
from inplace_lsp.fixes.out_of_place import out_of_place
from inplace_lsp.fixes.pieces import copy_pieces
from inplace_lsp.fixes.recheck import repairs
from inplace_lsp.fixes.recompute import recompute
from inplace_lsp.fixes.retain_graph import retain_graph
from inplace_lsp.fixes.scopes import is_bound_in
from inplace_lsp.fixes.set_data import set_data
from inplace_lsp.fixes.site import site_at
from inplace_lsp.fixes.view_again import view_again
from inplace_lsp.hazards.finding import Finding, Fix
from inplace_lsp.tape.model import Create, Event, TensorState, Write

Analyse = Callable[[str, str], Analysis]


def fixes_for(
    text: str, finding: Finding, before: Analysis | None = None, analyse: Analyse = analyse
) -> tuple[Fix, ...]:
    """The repairs of `finding` in `text`, the contents of its file, that hold, the best first.

    Costs an analysis each: never call it for a whole file while somebody waits for its diagnostics. `before` is the
    analysis of `text`, if it is at hand.
    """
    if finding.code not in REPAIRABLE:
        return ()
    if before is None:
        before = analyse(text, finding.span.file)
    without = text_without(text, finding)
    hidden = newly_reached(before, analyse(without, finding.span.file)) if without is not None else ()
    fixes = []
    for candidate in _candidates(text, finding, before):
        candidate = _with_line_ends(candidate, text)
        after = analyse(apply_edits(text, candidate.edits), finding.span.file)
        if repairs(before, after, candidate.edits, finding, hidden):
            fixes.append(_judged(text, candidate, before))
    return tuple(sorted(fixes, key=lambda fix: fix.applicability != "safe"))


def with_fixes(text: str, filename: str, analysis: Analysis, analyse: Analyse = analyse) -> Analysis:
    """`analysis` of `text` with the best repair of each finding filled in, for reports that print it.

    A finding in another file that `text` imports keeps none: its text is not at hand.
    """
    found = tuple(
        _with_fix(text, finding, analysis, analyse) if finding.span.file == filename else finding
        for finding in analysis.findings
    )
    return replace(analysis, findings=found)


def _with_fix(text: str, finding: Finding, analysis: Analysis, analyse: Analyse) -> Finding:
    fixes = fixes_for(text, finding, analysis, analyse)
    return replace(finding, fix=fixes[0]) if fixes else finding


def _candidates(text: str, finding: Finding, before: Analysis) -> Iterator[Candidate]:
    yield from drop_flag(text, finding, before.tapes)
    yield from carried(text, finding, before.tapes)
    yield from retain_graph(text, finding)
    yield from recompute(text, finding)
    yield from move_behind(text, finding) if finding.code == "IP102" else ()
    yield from no_inference_mode(text, finding)
    yield from view_again(text, finding)
    site = site_at(text, finding.span)
    if site is not None:
        for write in (list_stack, no_grad, masked_fill, out_of_place, no_grad_all_the_same, clone_first, set_data):
            yield from (one for one in write(site, finding) if not _captures(one) and not _loses(one, finding))
    yield from copy_pieces(text, finding)
    yield from clone_at_save(text, finding)
    yield from move_behind(text, finding) if finding.code != "IP102" else ()


def _loses(candidate: Candidate, finding: Finding) -> bool:
    """Whether giving the name another tensor would cut its history or take a parameter out of its module."""
    rebinds = any(use.written is not None for use in candidate.uses)
    attribute = any(isinstance(use.written, cst.Attribute) for use in candidate.uses)
    for event in finding.story:
        if rebinds and isinstance(event, Write) and event.span.row == finding.span.row:
            if not event.grad_mode and event.tensor.requires_grad:
                return True
            if attribute and _is_of_leaf(event.tensor) and _is_parameter(event.tensor, finding.story):
                return True
    return False


def _is_of_leaf(tensor: TensorState) -> bool:
    return tensor.leaf if tensor.base is None else tensor.base_leaf


def _is_parameter(tensor: TensorState, story: tuple[Event, ...]) -> bool:
    made = [one.op for one in story if isinstance(one, Create) and one.tensor.storage == tensor.storage]
    return bool(tensor.requires_grad) or "Parameter" in made


def _with_line_ends(candidate: Candidate, text: str) -> Candidate:
    """What is put in ends its lines as the file does."""
    end = line_end(text)
    return replace(
        candidate, edits=tuple(replace(one, content=one.content.replace("\n", end)) for one in candidate.edits)
    )


def _captures(candidate: Candidate) -> bool:
    """Whether an assignment it adds would turn a name of an outer scope into one of the function's own."""
    return any(
        isinstance(use.written, cst.Name)
        and (function := use.tree.function_of(use.statement)) is not None
        and not is_bound_in(function, use.written.value)
        for use in candidate.uses
    )


def _judged(text: str, candidate: Candidate, before: Analysis) -> Fix:
    """Safe if nothing but the rebound name could see the write; else the message says who does."""
    seen_by = [*candidate.warnings, *holders(text, candidate.uses, before.tapes)]
    message = f"{candidate.message} ({'; '.join(seen_by)})" if seen_by else candidate.message
    return Fix("unsafe" if seen_by else "safe", message, candidate.edits)
