"""The repairs of a finding: written, then judged by an analysis of the edited text, and only then offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, cached_property

from inplace_lsp.analysis import Analysis
from inplace_lsp.engine import analyse
from inplace_lsp.fixes.behind import ENDS_ITS_PATH, newly_reached, text_without
from inplace_lsp.fixes.candidates import candidates, is_item_of_loop, with_line_ends
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
    return tuple(_Search(text, finding, before, analyse).offers())


def best_fix(text: str, finding: Finding, before: Analysis, analyse: Analyse = analyse) -> Fix | None:
    """Find the first of `fixes_for` with as few analyses as that takes; None if there is none."""
    return next(_Search(text, finding, before, analyse).offers(), None)


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


class _Search:
    """The search for the repairs of one finding. No candidate is analysed before its turn, and no text twice."""

    def __init__(self, text: str, finding: Finding, before: Analysis, analyse: Analyse) -> None:
        self._text, self._finding, self._before, self._analyse = text, finding, before, analyse
        self._check = cache(lambda text: analyse(text, finding.span.file))
        self._waiting: list[Fix] = []
        self._lost: list[Fix] = []

    def offers(self) -> Iterator[Fix]:
        """Yield the repairs that hold, the best first."""
        if self._finding.code not in REPAIRABLE:
            return
        found = False
        for fix in self._in_one_go_or_two():
            found = True
            yield fix
        if not found:
            yield from filter(self._holds, self._lost)

    def in_one_go(self) -> Iterator[Fix]:
        """Yield those that one candidate makes, the safe ones first."""
        yield from self._safe()
        yield from filter(self._holds, self._waiting)

    def _in_one_go_or_two(self) -> Iterator[Fix]:
        if is_kept(self._finding):  # a contract that is kept again comes before a caller that no longer needs it
            yield from _safe_first([*self._in_two(), *self.in_one_go()])
        elif self._finding.code == "IP303":
            yield from self.in_one_go()
        elif self._finding.code in ENDS_ITS_PATH:
            yield from self._of_refused_write()
        else:
            yield from self._in_one_go_else_two()

    def _in_one_go_else_two(self) -> Iterator[Fix]:
        found = False
        for fix in self.in_one_go():
            found = True
            yield fix
        if not found:
            yield from _safe_first(self._in_two())

    def _of_refused_write(self) -> Iterator[Fix]:
        """Yield what is safe in two steps before what is unsafe in one."""
        safe = next(offered := self._safe(), None)
        if safe is None:
            yield from _safe_first([*filter(self._holds, self._waiting), *self._in_two()])
            return
        yield safe
        yield from offered
        yield from filter(self._holds, self._waiting)

    def _safe(self) -> Iterator[Fix]:
        """Yield the safe repairs in one go; the other candidates are left in `_waiting`, those after which nothing
        shows the write any more in `_lost`."""
        for candidate in self._candidates():
            fix = self._judged(candidate)
            if fix.applicability == "safe":
                if self._holds(fix):
                    yield fix
            elif any(map(vanish, candidate.uses)):
                if any(map(is_item_of_loop, candidate.uses)):
                    continue  # the loop's name alone would get the new values: what it runs through keeps the old ones
                self._lost.append(replace(fix, message=f"{fix.message[:-1]}; nothing reads the new values)"))
            else:
                self._waiting.append(fix)

    def _in_two(self) -> list[Fix]:
        """A write that torch no longer refuses may be one that a backward cannot stand: that is repaired with it."""
        fixes = []
        for candidate in self._candidates():
            halfway = apply_edits(self._text, candidate.edits)
            fix = self._second(halfway, self._check(halfway), candidate)
            if fix is None:
                continue
            whole = apply_edits(halfway, fix.edits)
            both = _both(self._judged(candidate), fix, edits_between(self._text, whole, self._finding.span.file))
            if self._holds(both):
                fixes.append(both)
        return fixes

    def _second(self, halfway: str, between: Analysis, candidate: Candidate) -> Fix | None:
        """Return the repair of the one finding that the candidate has brought, if it can be repaired."""
        new = new_findings(self._before, between, candidate.edits, self._finding, self._hidden)
        rest = [one for one in new if one.code != self._finding.code]
        if len(rest) != 1 or rest[0].code not in REPAIRABLE or rest[0].span.file != self._finding.span.file:
            return None
        return next(_Search(halfway, rest[0], between, self._analyse).in_one_go(), None)

    def _candidates(self) -> Iterator[Candidate]:
        found = candidates(self._text, self._finding, self._before)
        return (with_line_ends(candidate, self._text) for candidate in found)

    def _holds(self, fix: Fix) -> bool:
        """Whether the edited text shows that the finding is gone and nothing new has come."""
        after = self._check(apply_edits(self._text, fix.edits))
        return repairs(self._before, after, fix.edits, self._finding, self._hidden)

    @cached_property
    def _hidden(self) -> tuple[Finding, ...]:
        without = text_without(self._text, self._finding)
        return newly_reached(self._before, self._check(without)) if without is not None else ()

    def _judged(self, candidate: Candidate) -> Fix:
        """Safe if nothing but the rebound name could see the write; else the message says who does."""
        spread = _spread(self._finding, candidate)
        seen_by = [*candidate.warnings, *spread, *holders(self._text, candidate.uses, self._before.tapes)]
        message = f"{candidate.message} ({'; '.join(seen_by)})" if seen_by else candidate.message
        return Fix("unsafe" if seen_by else "safe", message, candidate.edits)


def _safe_first(fixes: Iterable[Fix]) -> list[Fix]:
    return sorted(fixes, key=lambda fix: fix.applicability != "safe")


def _both(first: Fix, second: Fix, edits: tuple[Edit, ...]) -> Fix:
    safe = first.applicability == second.applicability == "safe"
    message = f"{first.message}; {second.message[0].lower()}{second.message[1:]}"
    return Fix("safe" if safe else "unsafe", message, edits)


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
    fix = best_fix(text, finding, analysis, analyse)
    return finding if fix is None else replace(finding, fix=fix)


def _spread(finding: Finding, candidate: Candidate) -> tuple[str, ...]:
    """The warning for a write to an expanded tensor that torch accepts: it shows in all elements that share the memory,
    which in another tensor they do not."""
    states = (getattr(event, "tensor", None) for event in finding.story if not isinstance(event, Write))
    expanded = any(isinstance(one, TensorState) and one.overlapping for one in states)
    if expanded and candidate.uses and finding.code != "IP205":
        return ("elements that share memory keep the old values",)
    return ()
