"""Offer the repairs of a finding: write candidates, judge each by an analysis of the edited text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from inplace_lsp.analysis import Analysis, NotAnalysed, fault_of
from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes.candidates import IF_NOTHING_ELSE, REPAIRS, match_line_ends, propose_candidates
from inplace_lsp.fixes.early_reads import find_early_reads
from inplace_lsp.fixes.hidden_findings import text_without_write
from inplace_lsp.fixes.other_holders import describe_holders, has_another_name, is_result_unread
from inplace_lsp.fixes.program.candidate import Candidate, Difference
from inplace_lsp.fixes.program.codes import is_in_custom_function, is_overlapping_write, is_refused_write, is_repairable
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.recheck import new_findings, repairs_finding
from inplace_lsp.fixes.repairs.copies.clone_at_save import CLONE_AT_SAVE
from inplace_lsp.fixes.repairs.custom_function.save_for_backward import is_kept_on_context
from inplace_lsp.fixes.same_training import TrainingComparison
from inplace_lsp.fixes.sisters import find_sisters
from inplace_lsp.hazards.edits import apply_edits, find_edits_between, find_row_after
from inplace_lsp.hazards.finding import Edit, Finding, Fix
from inplace_lsp.tape.model import TensorState, Write
from inplace_lsp.torch_ops.table import use_release

Analyse = Callable[[str, str], Analysis]


def fixes_for(
    text: str, finding: Finding, before: Analysis | None = None, analyse: Analyse = analyse_source
) -> tuple[Fix, ...]:
    """Return the repairs of `finding` that hold in `text`, the contents of its file, the best first.

    Each costs an analysis: never call this for a whole file while somebody waits for its diagnostics. `before` is the
    analysis of `text`, if it is at hand.
    """
    if before is None:
        before = analyse(text, finding.span.file)
    with use_release(before.torch):
        return tuple(_Search(text, finding, before, analyse).find_fixes())


def best_fix(text: str, finding: Finding, before: Analysis, analyse: Analyse = analyse_source) -> Fix | None:
    """Return the first of `fixes_for` with as few analyses as possible; None if there is none."""
    with use_release(before.torch):
        return next(_Search(text, finding, before, analyse).find_fixes(), None)


def try_best_fix(
    text: str, finding: Finding, before: Analysis, analyse: Analyse = analyse_source
) -> tuple[Fix | None, NotAnalysed | None]:
    """Return `best_fix`, and what an internal error has cost: the finding has no repair then."""
    try:
        return best_fix(text, finding, before, analyse), None
    except Exception as error:
        return None, fault_of(finding.function, finding.span, error)


def fixes_in_caller(
    text: str, filename: str, finding: Finding, before: Analysis, analyse: Analyse = analyse_source
) -> tuple[Fix, ...]:
    """Return repairs in `text` of `filename` for a finding in a file that it imports: clone what is saved there."""
    fixes = []
    for candidate in CLONE_AT_SAVE.candidates_for(RepairContext(text, filename, finding)):
        edits = match_line_ends(candidate, text).edits
        if repairs_finding(before, analyse(apply_edits(text, edits), filename), edits, finding):
            fixes.append(Fix("safe", candidate.message, edits))
    return tuple(fixes)


@dataclass(frozen=True)
class _Offer:
    """A repair that has not been analysed yet, its kind, and the intended difference in training."""

    fix: Fix
    on_purpose: Difference
    kind: Repair


class _Search:
    """The search for the repairs of one finding. It analyses no candidate early and no text twice."""

    def __init__(
        self, text: str, finding: Finding, before: Analysis, analyse: Analyse, repairs: Sequence[Repair] = REPAIRS
    ) -> None:
        self._text, self._finding, self._before, self._analyse = text, finding, before, analyse
        self._repairs = repairs
        self._check = cache(lambda text: analyse(text, finding.span.file))
        self._training = TrainingComparison(text, finding, before)
        self._waiting: list[_Offer] = []
        self._lost: list[_Offer] = []

    def find_fixes(self) -> Iterator[Fix]:
        """Yield the repairs that hold, the best first."""
        for offer in self.find_offers():
            yield offer.fix

    def find_offers(self) -> Iterator[_Offer]:
        """Yield the same with their intended difference in training."""
        if not is_repairable(self._finding):
            return
        seen: set[str] = set()
        for offer in map(self._mend_sisters, self._find_by_kind_of_write()):
            text = apply_edits(self._text, offer.fix.edits)
            if text not in seen:
                yield offer
            seen.add(text)
        if not seen:
            yield from filter(self._passes_checks, self._lost)

    def find_single_repairs(self) -> Iterator[_Offer]:
        """Yield the offers of a single candidate, the safe ones first."""
        yield from self._find_safe()
        yield from filter(self._passes_checks, self._waiting)

    def _find_by_kind_of_write(self) -> Iterator[_Offer]:
        if is_kept_on_context(
            self._finding
        ):  # a contract that is kept again comes before a caller that no longer needs it
            yield from _safe_first([*self._find_double_repairs(), *self.find_single_repairs()])
        elif is_in_custom_function(self._finding):
            yield from self.find_single_repairs()
        elif is_refused_write(self._finding):
            yield from self._find_for_refused_write()
        else:
            yield from self._find_single_else_double()

    def _find_single_else_double(self) -> Iterator[_Offer]:
        found = False
        for offer in self.find_single_repairs():
            found = True
            yield offer
        if not found:
            yield from self._find_if_nothing_else() or _safe_first(self._find_double_repairs())

    def _find_if_nothing_else(self) -> list[_Offer]:
        search = _Search(self._text, self._finding, self._before, self._analyse, IF_NOTHING_ELSE)
        return [*search.find_single_repairs()]

    def _find_for_refused_write(self) -> Iterator[_Offer]:
        """Yield safe repairs in two steps before unsafe ones in one."""
        safe = next(offered := self._find_safe(), None)
        if safe is None:
            yield from _safe_first([*filter(self._passes_checks, self._waiting), *self._find_double_repairs()])
            return
        yield safe
        yield from offered
        yield from filter(self._passes_checks, self._waiting)

    def _find_safe(self) -> Iterator[_Offer]:
        """Yield the safe single repairs; keep the other candidates in `_waiting`, those that lose the written values in
        `_lost`, unless these would be read under another name."""
        for kind, candidate in self._propose_candidates():
            offer = self._judge_safety(kind, candidate)
            if offer.fix.applicability == "safe":
                if self._passes_checks(offer):
                    yield offer
            elif not any(map(is_result_unread, candidate.uses)):
                self._waiting.append(offer)
            elif not has_another_name(self._text, candidate.uses, self._before.tapes):
                fix = replace(offer.fix, message=f"{offer.fix.message[:-1]}; nothing reads the new values)")
                self._lost.append(replace(offer, fix=fix))

    def _find_double_repairs(self) -> list[_Offer]:
        """Return repairs of two candidates: a write that torch no longer refuses may still break a backward."""
        offers = []
        for kind, candidate in self._propose_candidates():
            halfway = apply_edits(self._text, candidate.edits)
            second = self._find_second_repair(halfway, self._check(halfway), candidate)
            if second is None:
                continue
            whole = apply_edits(halfway, second.fix.edits)
            both = _combine_offers(
                self._judge_safety(kind, candidate),
                second,
                find_edits_between(self._text, whole, self._finding.span.file),
            )
            if self._passes_checks(both):
                offers.append(both)
        return offers

    def _find_second_repair(self, halfway: str, between: Analysis, candidate: Candidate) -> _Offer | None:
        """Return the repair of the one finding that the candidate has introduced, if it has one."""
        new = new_findings(self._before, between, candidate.edits, self._finding, self._hidden_findings)
        rest = [finding for finding in new if finding.code != self._finding.code]
        if len(rest) != 1 or not is_repairable(rest[0]) or rest[0].span.file != self._finding.span.file:
            return None
        return next(_Search(halfway, rest[0], between, self._analyse).find_single_repairs(), None)

    def _mend_sisters(self, offer: _Offer) -> _Offer:
        """Return the offer with the same repair of its sisters that it leaves; without, if one of them has none."""
        text, places, made = apply_edits(self._text, offer.fix.edits), [offer.fix.edits], [offer]
        for sister in find_sisters((*self._before.findings, *self._hidden_findings), self._finding):
            analysis = self._check(text)
            left = _find_moved(analysis, sister, places)
            if left is None:
                continue
            search = _Search(text, left, analysis, self._analyse, [offer.kind])
            same = next(search.find_single_repairs(), None)
            if same is None:
                return offer
            text = apply_edits(text, same.fix.edits)
            places.append(same.fix.edits)
            made.append(same)
        return _join_offers(made, find_edits_between(self._text, text, self._finding.span.file)) if made[1:] else offer

    def _propose_candidates(self) -> Iterator[tuple[Repair, Candidate]]:
        found = propose_candidates(self._text, self._finding, self._before, self._repairs)
        return ((kind, match_line_ends(candidate, self._text)) for kind, candidate in found)

    def _passes_checks(self, offer: _Offer) -> bool:
        """Return whether in the edited text the finding is gone, no finding is new, and the training is the same."""
        edited = apply_edits(self._text, offer.fix.edits)
        if find_early_reads(edited) - self._early_reads:
            return False
        if not repairs_finding(
            self._before, self._check(edited), offer.fix.edits, self._finding, self._hidden_findings
        ):
            return False
        return self._training.trains_the_same(edited, offer.on_purpose)

    @cached_property
    def _early_reads(self) -> frozenset[tuple[str, str]]:
        return find_early_reads(self._text)

    @cached_property
    def _hidden_findings(self) -> tuple[Finding, ...]:
        without = text_without_write(self._text, self._finding)
        return self._check(without).findings if without is not None else ()

    def _judge_safety(self, kind: Repair, candidate: Candidate) -> _Offer:
        """Call the candidate safe if nobody but the rebound name can see the write; else let the message say who
        can."""
        spread = _warn_about_expanded(self._finding, candidate)
        holders = describe_holders(self._text, candidate.uses, self._before.tapes)
        seen_by = [*candidate.warnings, *spread, *holders, *_warn_about_hint(self._finding)]
        message = f"{candidate.message} ({'; '.join(seen_by)})" if seen_by else candidate.message
        title = f"{candidate.message} ({_shorten(seen_by)})" if seen_by[1:] else ""
        fix = Fix("unsafe" if seen_by else "safe", message, candidate.edits, title)
        return _Offer(fix, candidate.on_purpose, kind)


def _shorten(changes: Sequence[str]) -> str:
    """Return the first change that a repair makes, and how many more there are."""
    return f"{changes[0]}, and {len(changes) - 1} more"


def _safe_first(offers: Iterable[_Offer]) -> list[_Offer]:
    return sorted(offers, key=lambda offer: offer.fix.applicability != "safe")


def _combine_offers(first: _Offer, second: _Offer, edits: tuple[Edit, ...]) -> _Offer:
    safe = first.fix.applicability == second.fix.applicability == "safe"
    both = [offer.fix for offer in (first, second)]
    message = _join_sentences(fix.message for fix in both)
    title = _join_sentences(fix.title or fix.message for fix in both)
    on_purpose = first.on_purpose if second.on_purpose is Difference.NONE else second.on_purpose
    return _Offer(Fix("safe" if safe else "unsafe", message, edits, title), on_purpose, first.kind)


def _join_sentences(messages: Iterable[str]) -> str:
    """Return the different ones of several messages as one."""
    first, *rest = dict.fromkeys(messages)
    return "; ".join([first, *(f"{message[0].lower()}{message[1:]}" for message in rest)])


def _join_offers(made: Sequence[_Offer], edits: tuple[Edit, ...]) -> _Offer:
    """Return one offer for the same repair in several places."""
    safe = all(offer.fix.applicability == "safe" for offer in made)
    message = _join_sentences(offer.fix.message for offer in made)
    title = _join_sentences(offer.fix.title or offer.fix.message for offer in made)
    return replace(made[0], fix=Fix("safe" if safe else "unsafe", message, edits, title))


def _find_moved(analysis: Analysis, finding: Finding, places: Iterable[Sequence[Edit]]) -> Finding | None:
    """Return what is left of a finding after several edits of its file, one after the other."""
    row = finding.span.row
    for edits in places:
        row = find_row_after(row, finding.span.column, edits)
    here = (found for found in analysis.findings if (found.code, found.span.file) == (finding.code, finding.span.file))
    return next((found for found in here if found.span.row == row and found.severity != "hint"), None)


def add_fixes(text: str, filename: str, analysis: Analysis, analyse: Analyse = analyse_source) -> Analysis:
    """Return `analysis` of `text` with each finding's best repair filled in, for reports that print it.

    A finding in another file that `text` imports gets none: its text is not at hand.
    """
    found, lost = [], []
    for finding in analysis.findings:
        here = finding.span.file == filename
        fix, fault = try_best_fix(text, finding, analysis, analyse) if here else (None, None)
        found.append(finding if fix is None else replace(finding, fix=fix))
        lost += [fault] if fault is not None else []
    return replace(analysis, findings=tuple(found)).with_gaps(lost)


def _warn_about_hint(finding: Finding) -> tuple[str, ...]:
    """Return a warning where nothing ties the finding to a gradient: nobody's code is changed for that unasked."""
    return ("only a hint: no gradient is known to need it",) if finding.severity == "hint" else ()


def _warn_about_expanded(finding: Finding, candidate: Candidate) -> tuple[str, ...]:
    """Return a warning for a write to an expanded tensor that torch accepts: a new tensor's elements share no
    memory."""
    states = (getattr(event, "tensor", None) for event in finding.story if not isinstance(event, Write))
    expanded = any(isinstance(state, TensorState) and state.overlapping for state in states)
    if expanded and candidate.uses and not is_overlapping_write(finding):
        return ("elements that share memory keep the old values",)
    return ()
