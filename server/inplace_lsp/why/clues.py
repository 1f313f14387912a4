"""Find the writes on the tapes of a file that may end in an error of torch, with what the error would say.

There is a clue for every finding of `check`, hints included, and for what the tapes leave open: a save and a later
write, whether or not visible code walks back between them. Clues do not depend on the error to be explained.
"""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import NO_HAZARDS, Finding
from inplace_lsp.tape.model import Tape
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.findings_by_place import FindingsByPlace
from inplace_lsp.why.freed import find_freed_clues
from inplace_lsp.why.message import CODES
from inplace_lsp.why.refusals import find_refusal_clues
from inplace_lsp.why.saves import find_save_clues

_LOUD = frozenset(code for codes in CODES.values() for code in codes)


def find_clues(analysis: Analysis) -> tuple[Clue, ...]:
    """Return the clues in the analysis of one file."""
    sight = FindingsByPlace((*analysis.negligible, *analysis.findings))
    found = dict.fromkeys(sight.apply_finding(clue) for tape in analysis.tapes for clue in _find_clues_of_tape(tape))
    places = {(clue.span.file, clue.span.row, clue.code) for clue in found}
    others = (
        finding for finding in analysis.findings if (finding.span.file, finding.span.row, finding.code) not in places
    )
    return (
        *found,
        *(_make_clue_of_finding(other) for other in others if other.code in _LOUD and other.code not in NO_HAZARDS),
    )


def _find_clues_of_tape(tape: Tape) -> Iterator[Clue]:
    yield from find_save_clues(tape)
    yield from find_refusal_clues(tape)
    yield from find_freed_clues(tape)


def _make_clue_of_finding(finding: Finding) -> Clue:
    """Return the clue of a finding, if the tape adds nothing to it."""
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
