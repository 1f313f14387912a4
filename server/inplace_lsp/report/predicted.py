"""The predicted tape that a finding was read off."""

from __future__ import annotations

from collections.abc import Iterable

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Tape


def tape_of(tapes: Iterable[Tape], finding: Finding) -> Tape:
    """The tape among `tapes` whose events the finding's story was taken from, else the story on its own."""
    story = set(map(id, finding.story))
    for tape in tapes:
        if story and story <= set(map(id, tape.events)):
            return tape
    return Tape(finding.function, finding.story)
