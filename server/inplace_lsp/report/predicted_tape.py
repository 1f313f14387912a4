"""The predicted tape behind a finding."""

from __future__ import annotations

from collections.abc import Iterable

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Tape


def find_tape(tapes: Iterable[Tape], finding: Finding) -> Tape:
    """Return the tape that contains the finding's story; if there is none, the story alone."""
    story = set(map(id, finding.story))
    for tape in tapes:
        if story and story <= set(map(id, tape.events)):
            return tape
    return Tape(finding.function, finding.story)
