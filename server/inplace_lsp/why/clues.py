"""What the tapes of a file show that may end in an error of torch's: each write, with what an error could say of it.

Clues count what `check` reports, what it only hints at, and what the tapes leave open: a save and a write behind it,
whether or not anything in sight walks back between. They know nothing of the error at hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import NO_HAZARDS, Finding
from inplace_lsp.tape.model import Tape
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.freed import freed_clues
from inplace_lsp.why.message import CODES
from inplace_lsp.why.refusals import refusal_clues
from inplace_lsp.why.saves import save_clues
from inplace_lsp.why.sight import Sight

_LOUD = frozenset(code for codes in CODES.values() for code in codes)


def clues_of(analysis: Analysis) -> tuple[Clue, ...]:
    """The clues in the analysis of one file."""
    sight = Sight(analysis.findings)
    found = dict.fromkeys(sight.told(clue) for tape in analysis.tapes for clue in _on_tape(tape))
    places = {(clue.span.file, clue.span.row, clue.code) for clue in found}
    others = (one for one in analysis.findings if (one.span.file, one.span.row, one.code) not in places)
    return (*found, *(_of_finding(one) for one in others if one.code in _LOUD and one.code not in NO_HAZARDS))


def _on_tape(tape: Tape) -> Iterator[Clue]:
    yield from save_clues(tape)
    yield from refusal_clues(tape)
    yield from freed_clues(tape)


def _of_finding(finding: Finding) -> Clue:
    """A finding of which the tape tells no more than it says itself."""
    saved = next((one.span for one in finding.related if one.role == "saved"), None)
    walked = next((one.span for one in finding.related if one.role == "backward"), None)
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
