"""Jobs and reports: plain data that is passed between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from inplace_lsp.analysis import Cause, NotAnalysed
from inplace_lsp.config import Config
from inplace_lsp.facts.packages import Packages
from inplace_lsp.hazards.finding import Finding


@dataclass(frozen=True, slots=True)
class Job:
    """One file to check."""

    filename: str
    config: Config
    text: str | None = None
    """The text, if the file is not to be read (standard input)."""
    fixes: bool = False
    """Whether to look for repairs."""
    types: bool = False
    """Whether to infer the types of parameters with jedi."""
    repair: Literal["", "safe", "unsafe"] = ""
    """Whether to make the safe repairs, or also the unsafe ones."""
    cache: Path | None = None
    """The folder of earlier reports."""
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of checking one file."""

    filename: str
    findings: tuple[Finding, ...] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    functions: int = 0
    """Number of functions."""
    unknown: tuple[tuple[str, int], ...] = ()
    """As in `Analysis`."""
    text: str = ""
    """The program's text (of a notebook: its cells as one program), if there are findings."""
    error: str | None = None
    """Why the file could not be checked."""
    before: str = ""
    """The file's own text before the repairs, if the job makes any."""
    after: str = ""
    """The file's own text after the repairs."""
    repairs: int = 0
    """Number of repairs."""
    seconds: float = 0.0
    """CPU time that the check took."""
    packages: Packages = field(default_factory=Packages)

    @property
    def syntax_errors(self) -> tuple[NotAnalysed, ...]:
        """Code that Python's parser refuses. Deep nesting, which only we refuse, does not count."""
        return tuple(gap for gap in self.gaps if gap.cause is Cause.SYNTAX)

    @property
    def errors(self) -> tuple[str, ...]:
        """Reasons why the file, or some of its functions through a bug of ours, have no answer."""
        if self.error is not None:
            return (self.error,)
        faults = (gap for gap in self.gaps if gap.cause is Cause.FAULT)
        return tuple(f"{gap.reason} (in `{gap.function}`)" for gap in faults)
