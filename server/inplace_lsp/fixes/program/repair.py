"""A repair: the codes it is for, and a function that proposes candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from inplace_lsp.fixes.program.candidate import Candidate
from inplace_lsp.fixes.program.on_tapes import is_moved_by_steps
from inplace_lsp.fixes.program.site import Site, site_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Tape


@dataclass(frozen=True)
class RepairContext:
    """Everything that a repair may read.

    `text` is the contents of `file`: the finding's file, or one whose call makes the write a hazard. `tapes` and
    `findings` are those of the analysis of `text`.
    """

    text: str
    file: str
    finding: Finding
    tapes: Sequence[Tape] = ()
    findings: Sequence[Finding] = ()

    @cached_property
    def site(self) -> Site | None:
        """The statement that writes; None where there is none, or in another file."""
        return site_at(self.text, self.finding.span) if self.finding.span.file == self.file else None

    @cached_property
    def is_moved_by_steps(self) -> bool:
        """Whether what is written is stepped by an optimizer, which would not know a new tensor."""
        return any(is_moved_by_steps(tape, self.finding.span) for tape in self.tapes)


Propose = Callable[[RepairContext], Iterable[Candidate]]


@dataclass(frozen=True)
class Repair:
    """A kind of change. `propose` is asked only about findings of these `codes`."""

    codes: frozenset[str]
    propose: Propose

    def candidates_for(self, context: RepairContext) -> Iterable[Candidate]:
        """Return the candidates for the context's finding; none for one of another code."""
        return self.propose(context) if context.finding.code in self.codes else ()
