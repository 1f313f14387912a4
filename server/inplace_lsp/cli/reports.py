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
    """One file to check. `text` is given where the file is not to be read (standard input). `fixes`: with repairs.
    `types`: with what jedi infers of parameters. `repair`: make the repairs that are safe, or all that are offered.
    `cache`: the folder where earlier reports lie. `spared`: the marks of findings that are not repaired.
    """

    filename: str
    config: Config
    text: str | None = None
    fixes: bool = False
    types: bool = False
    repair: Literal["", "safe", "unsafe"] = ""
    cache: Path | None = None
    spared: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FileReport:
    """What came of one file. `text` is there if there are findings; `error` says why there is no answer.

    `unknown` is as in `Analysis`. `before` and `after` are its text without and with the repairs, `repairs` how many;
    only where they were asked for. `seconds` of CPU time were spent on it. Of a notebook, `text` is the program
    that its cells make, `before` and `after` are its own text. `packages`: those that it imports.
    """

    filename: str
    findings: tuple[Finding, ...] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    functions: int = 0
    unknown: tuple[tuple[str, int], ...] = ()
    text: str = ""
    error: str | None = None
    before: str = ""
    after: str = ""
    repairs: int = 0
    seconds: float = 0.0
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
