"""Offer what is proven: with the change, the analysis finds nothing new, and sees the write in memory nobody holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import OFFER, Edit, Finding, Fix, Related
from inplace_lsp.offers.candidates import Candidate, Candidates
from inplace_lsp.offers.page import NAME
from inplace_lsp.offers.reading import Reading
from inplace_lsp.source.trees import parse_tree
from inplace_lsp.tape.autograd import keeps_nothing
from inplace_lsp.tape.model import Create, Save, Span, Tape, View, Write
from inplace_lsp.torch_ops.table import use_release

Analyse = Callable[[str], Analysis]
_MADE_ELSEWHERE = frozenset({"", "input", "unknown", "Parameter", "buffer", "grad"})
"""The ops of what the run was given, or of what nobody has seen being made."""
_AT_MOST = 200
"""Candidates of one file; each that is not proven with the others costs an analysis."""
_TORCH = "torch"
_BY_NAME = "no other file runs the layers around it one by one, or hooks them"


def find_offers(text: str, filename: str, before: Analysis, analyse: Analyse) -> tuple[Finding, ...]:
    """Return the ops of a file that may write in place, each with its edit. `before` is the analysis of the text,
    `analyse` makes that of a changed one."""
    tree = parse_tree(text) if _TORCH in text else None
    if tree is None:
        return ()
    with use_release(before.torch):
        found = choose_applicable(text, list(Candidates(Reading(tree, text, filename)).find())[:_AT_MOST])
        proven = _Proof(text, before, analyse).find_proven(found) if found else ()
        return tuple(map(_make_finding, sorted(proven, key=lambda candidate: candidate.span)))


def choose_applicable(text: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates whose edits can be made together: none lies in another's, and each leaves a text that
    parses. One that does not would hide all others from the analysis."""
    chosen: list[Candidate] = []
    taken: list[Edit] = []
    for candidate in candidates:
        edits = (*candidate.edits, *candidate.certain)
        if not any(_overlap(edit, other) for edit in edits for other in taken):
            chosen.append(candidate)
            taken += edits
    return chosen if _parses(text, chosen) else [candidate for candidate in chosen if _parses(text, [candidate])]


def _overlap(edit: Edit, other: Edit) -> bool:
    one, two = edit.span, other.span
    begins_before = (one.row, one.column) < (two.end_row, two.end_column)
    return begins_before and (two.row, two.column) < (one.end_row, one.end_column)


def _parses(text: str, candidates: Sequence[Candidate]) -> bool:
    edits = [edit for candidate in candidates for edit in (*candidate.edits, *candidate.certain)]
    return parse_tree(apply_edits(text, edits)) is not None


@dataclass(frozen=True)
class _Proof:
    """The proof of candidates by analyses of the changed text."""

    text: str
    before: Analysis
    analyse: Analyse

    def find_proven(self, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        """Return the candidates that break nothing, neither alone nor together."""
        shown = self._find_shown(candidates)
        if self._breaks_nothing(shown):
            return shown
        alone = [candidate for candidate in shown if self._breaks_nothing([candidate])]
        return alone if self._breaks_nothing(alone) else []

    def _find_shown(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        tapes = self._change(candidates, certainly=True).tapes
        return [candidate for candidate in candidates if _is_shown(candidate, tapes)]

    def _breaks_nothing(self, candidates: Sequence[Candidate]) -> bool:
        """Return whether the changed text has no finding that the text has not, and no more code that is not seen."""
        results = [self._change(candidates)]
        if any(candidate.certain for candidate in candidates):
            results.append(self._change(candidates, certainly=True))
        known = {_place(finding) for finding in self.before.findings}
        blind = _count_unseen(self.before)
        return all(
            _count_unseen(after) <= blind and all(_place(finding) in known for finding in after.findings)
            for after in results
        )

    def _change(self, candidates: Sequence[Candidate], *, certainly: bool = False) -> Analysis:
        """Return the analysis of the text with the edits. `certainly`: and with those that make sure of the writes."""
        edits = [edit for candidate in candidates for edit in candidate.edits]
        certain = [edit for candidate in candidates for edit in candidate.certain]
        return self.analyse(apply_edits(self.text, edits + certain * certainly))


def _count_unseen(analysis: Analysis) -> int:
    return sum(not gap.partly for gap in analysis.gaps)


def _place(finding: Finding) -> tuple[str, str, int, str]:
    return finding.code, finding.span.file, finding.span.row, finding.severity


def _is_shown(candidate: Candidate, tapes: Iterable[Tape]) -> bool:
    """Return whether a run comes to the write, and all that do write memory of their own."""
    seen = False
    for tape in tapes:
        for at, write in tape.events_of(Write):
            if _is_by(write, candidate):
                seen = True
                if not _writes_own_memory(tape, at, write):
                    return False
    return seen


def _is_by(write: Write, candidate: Candidate) -> bool:
    place = write.declared if candidate.of_layer else write.span
    return place is not None and _begins_alike(place, candidate.at) and _bare(write.op) == _bare(candidate.written)


def _begins_alike(place: Span, other: Span) -> bool:
    return (place.file, place.row) == (other.file, other.row)


def _bare(op: str) -> str:
    return op.rstrip("_").lower().replace("_", "")


def _writes_own_memory(tape: Tape, at: int, write: Write) -> bool:
    """Return whether an op of the run has made the written memory, and neither a view nor a save holds it."""
    made = False
    for position, event in tape.by_storage.get(write.tensor.storage, ()):
        if position >= at:
            break
        if isinstance(event, Create):
            made = event.op not in _MADE_ELSEWHERE
        elif isinstance(event, View) or (isinstance(event, Save) and event.when and not keeps_nothing(event)):
            return False
    return made and not write.alias


def _make_finding(candidate: Candidate) -> Finding:
    what = f"`{candidate.name}`" if candidate.name else "its input"
    if candidate.of_layer:
        what = "what it is given"
    assumptions = (*[_BY_NAME] * candidate.of_layer, *candidate.assumes)
    gain = (
        "out of place it keeps that until backward"
        if candidate.keeps_input
        else "out of place it makes a second tensor of that size"
    )
    message = f"`{candidate.op}` may write in place: nothing saved {what}, nobody reads it again; {gain}."
    title = f"Write in place: nothing saved {what}, nobody reads it again"
    related = tuple(
        Related("saved", "makes the memory here, and saves it for no backward", span) for span in candidate.made
    )
    return Finding(
        OFFER, NAME, "information", message, assumptions, candidate.span, related,
        fix=Fix("safe", title, candidate.edits), op=f"{candidate.written}_", advice=title,
    )  # fmt: skip
