"""The result of a check, with what every format needs to show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inplace_lsp.hazards.finding import Finding, Severity, Sources
from inplace_lsp.notebooks import Notebook
from inplace_lsp.report.fingerprints import fingerprints_of
from inplace_lsp.tape.model import Span

Notebooks = Mapping[str, Notebook]
"""Those that were checked, by name."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be checked completely, the reason, and the place if it is known. Without a name: something
    else that was to be checked."""

    filename: str
    reason: str
    place: Span | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The findings, with the lines they point at.

    Names of files are shown to people relative to `folder`, and to programs that know the repository relative to
    `root`. `checked` are the files that were looked at, with findings or without. In a file of `notebooks`,
    a place is one in the program that its cells make; `marks` are what findings are known by whose places were moved.
    Findings of a severity that is `tolerated` do not make the check fail.
    """

    findings: Sequence[Finding]
    sources: Sources
    folder: str
    root: str
    checked: Sequence[str] = ()
    failures: Sequence[Failure] = ()
    notebooks: Notebooks = field(default_factory=dict)
    marks: Sequence[str] = ()
    tolerated: frozenset[Severity] = frozenset()

    def fingerprints(self) -> Sequence[str]:
        """Return what each finding is known by."""
        return self.marks or fingerprints_of(self.findings, self.sources, self.root)
