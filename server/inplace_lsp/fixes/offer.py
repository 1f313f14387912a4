"""The repairs of a finding: written, then judged by an analysis of the edited text, and only then offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from inplace_lsp.engine import Analysis, analyse
from inplace_lsp.fixes.behind import ENDS_ITS_PATH, newly_reached, text_without
from inplace_lsp.fixes.candidates import candidates, with_line_ends
from inplace_lsp.fixes.codes import REPAIRABLE
from inplace_lsp.fixes.holders import holders, vanish
from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.edits import apply_edits, edits_between
from inplace_lsp.fixes.recheck import new_findings, repairs
from inplace_lsp.fixes.repairs.copies.clone_at_save import clone_at_save
from inplace_lsp.fixes.repairs.custom_function.keep_by_saving import is_kept
from inplace_lsp.hazards.finding import Edit, Finding, Fix
from inplace_lsp.tape.model import TensorState, Write

Analyse = Callable[[str, str], Analysis]


def fixes_for(
    text: str, finding: Finding, before: Analysis | None = None, analyse: Analyse = analyse
) -> tuple[Fix, ...]:
    """The repairs of `finding` in `text`, the contents of its file, that hold, the best first.

    Costs an analysis each: never call it for a whole file while somebody waits for its diagnostics. `before` is the
    analysis of `text`, if it is at hand.
    """
    if before is None:
        before = analyse(text, finding.span.file)
    fixes, lost = _in_one_go(text, finding, before, analyse)
    if is_kept(finding):  # a contract that is kept again comes before a caller that no longer needs it
        fixes = _in_two(text, finding, before, analyse) + fixes
    elif _may_need_two(finding, fixes):
        fixes += _in_two(text, finding, before, analyse)
    return tuple(sorted(fixes or lost, key=lambda fix: fix.applicability != "safe"))


def _may_need_two(finding: Finding, fixes: list[Fix]) -> bool:
    if finding.code == "IP303":
        return False
    return not fixes or (finding.code in ENDS_ITS_PATH and not any(fix.applicability == "safe" for fix in fixes))


def fixes_in_caller(
    text: str, filename: str, finding: Finding, before: Analysis, analyse: Analyse = analyse
) -> tuple[Fix, ...]:
    """The repairs, in `text` of `filename`, of a finding in a file that it imports: its ops keep copies of what is
    written there."""
    fixes = []
    for candidate in clone_at_save(text, finding, filename):
        edits = with_line_ends(candidate, text).edits
        if repairs(before, analyse(apply_edits(text, edits), filename), edits, finding):
            fixes.append(Fix("safe", candidate.message, edits))
    return tuple(fixes)


def _in_one_go(text: str, finding: Finding, before: Analysis, analyse: Analyse) -> tuple[list[Fix], list[Fix]]:
    """The repairs that one candidate makes; and apart from them those after which nothing shows the write any more."""
    fixes: list[Fix] = []
    lost: list[Fix] = []
    if finding.code not in REPAIRABLE:
        return fixes, lost
    hidden = _hidden(text, finding, before, analyse)
    for candidate in _written(text, finding, before):
        after = analyse(apply_edits(text, candidate.edits), finding.span.file)
        if repairs(before, after, candidate.edits, finding, hidden):
            fix = _judged(text, finding, candidate, before)
            if fix.applicability == "unsafe" and any(map(vanish, candidate.uses)):
                lost.append(replace(fix, message=f"{fix.message[:-1]}; nothing reads the new values)"))
            else:
                fixes.append(fix)
    return fixes, lost


def _in_two(text: str, finding: Finding, before: Analysis, analyse: Analyse) -> list[Fix]:
    """A write that torch no longer refuses may be one that a backward cannot stand: that is repaired with it."""
    if finding.code not in REPAIRABLE:
        return []
    hidden = _hidden(text, finding, before, analyse)
    fixes = []
    for candidate in _written(text, finding, before):
        halfway = apply_edits(text, candidate.edits)
        between = analyse(halfway, finding.span.file)
        new = new_findings(before, between, candidate.edits, finding, hidden)
        rest = [one for one in new if one.code != finding.code]
        is_here = len(rest) == 1 and rest[0].span.file == finding.span.file
        second = _in_one_go(halfway, rest[0], between, analyse)[0] if is_here else []
        for fix in second[:1]:
            whole = apply_edits(halfway, fix.edits)
            edits = edits_between(text, whole, finding.span.file)
            if repairs(before, analyse(whole, finding.span.file), edits, finding, hidden):
                fixes.append(_both(_judged(text, finding, candidate, before), fix, edits))
    return fixes


def _both(first: Fix, second: Fix, edits: tuple[Edit, ...]) -> Fix:
    safe = first.applicability == second.applicability == "safe"
    message = f"{first.message}; {second.message[0].lower()}{second.message[1:]}"
    return Fix("safe" if safe else "unsafe", message, edits)


def _hidden(text: str, finding: Finding, before: Analysis, analyse: Analyse) -> tuple[Finding, ...]:
    without = text_without(text, finding)
    return newly_reached(before, analyse(without, finding.span.file)) if without is not None else ()


def _written(text: str, finding: Finding, before: Analysis) -> Iterator[Candidate]:
    return (with_line_ends(candidate, text) for candidate in candidates(text, finding, before))


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


def _judged(text: str, finding: Finding, candidate: Candidate, before: Analysis) -> Fix:
    """Safe if nothing but the rebound name could see the write; else the message says who does."""
    seen_by = [*candidate.warnings, *_spread(finding, candidate), *holders(text, candidate.uses, before.tapes)]
    message = f"{candidate.message} ({'; '.join(seen_by)})" if seen_by else candidate.message
    return Fix("unsafe" if seen_by else "safe", message, candidate.edits)


def _spread(finding: Finding, candidate: Candidate) -> tuple[str, ...]:
    """The warning for a write to an expanded tensor that torch accepts: it shows in all elements that share the memory,
    which in another tensor they do not."""
    states = (getattr(event, "tensor", None) for event in finding.story if not isinstance(event, Write))
    expanded = any(isinstance(one, TensorState) and one.overlapping for one in states)
    if expanded and candidate.uses and finding.code != "IP205":
        return ("elements that share memory keep the old values",)
    return ()
