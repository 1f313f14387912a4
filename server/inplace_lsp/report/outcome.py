"""The result of a check, with what every format needs to show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inplace_lsp.hazards.finding import Finding, Severity, Sources
from inplace_lsp.notebooks import Notebook
from inplace_lsp.report.fingerprints import make_fingerprints
from inplace_lsp.tape.model import Span

Notebooks = Mapping[str, Notebook]
"""The checked notebooks by name."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be checked completely, the reason, and the place if it is known. `filename` is "" if the
    failure is not about a file."""

    filename: str
    reason: str
    place: Span | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The findings of a check, with all that a format needs to show them."""

    findings: Sequence[Finding]
    sources: Sources
    """The lines of the files."""
    folder: str
    """The folder to which file names are relative for people."""
    root: str
    """The root of the repository, to which file names are relative for programs that know it."""
    checked: Sequence[str] = ()
    """The checked files, with findings or without."""
    failures: Sequence[Failure] = ()
    notebooks: Notebooks = field(default_factory=dict)
    """The checked notebooks; a place in one is a place in the program that its cells make."""
    marks: Sequence[str] = ()
    """The fingerprints of the findings, made before their places were moved; empty if they were not moved."""
    tolerated: frozenset[Severity] = frozenset()
    """The severities of findings that do not make the check fail."""

    def fingerprints(self) -> Sequence[str]:
        """Return the fingerprint of each finding."""
        return self.marks or make_fingerprints(self.findings, self.sources, self.root)
