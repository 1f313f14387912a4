"""Find what may end in an error of torch's on the tapes of a file: each write, with what an error could say of it.

Clues count what `check` reports, what it only hints at, and what the tapes leave open: a save and a write behind it,
whether or not anything in sight walks back between. They know nothing of the error at hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import NO_HAZARDS, Finding
from inplace_lsp.tape.model import Tape
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.findings_by_place import FindingsByPlace
from inplace_lsp.why.freed import freed_clues
from inplace_lsp.why.message import CODES
from inplace_lsp.why.refusals import refusal_clues
from inplace_lsp.why.saves import save_clues

_LOUD = frozenset(code for codes in CODES.values() for code in codes)


def clues_of(analysis: Analysis) -> tuple[Clue, ...]:
    """Return the clues in the analysis of one file."""
    sight = FindingsByPlace(analysis.findings)
    found = dict.fromkeys(sight.apply_finding(clue) for tape in analysis.tapes for clue in _tape_clues(tape))
    places = {(clue.span.file, clue.span.row, clue.code) for clue in found}
    others = (
        finding for finding in analysis.findings if (finding.span.file, finding.span.row, finding.code) not in places
    )
    return (*found, *(_finding_clue(other) for other in others if other.code in _LOUD and other.code not in NO_HAZARDS))


def _tape_clues(tape: Tape) -> Iterator[Clue]:
    yield from save_clues(tape)
    yield from refusal_clues(tape)
    yield from freed_clues(tape)


def _finding_clue(finding: Finding) -> Clue:
    """Return the clue of a finding about which the tape says no more than itself."""
    saved = next(iter(finding.places_of("saved")), None)
    walked = next(iter(finding.places_of("backward")), None)
    return Clue(
        finding.code,
        finding.span,
        finding.message,
        finding.function,
        finding.related,
        finding.severity,
        assumptions=finding.assumptions,
        saved=saved,
        backward=walked,
    )
