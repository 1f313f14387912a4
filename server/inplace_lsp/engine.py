"""One call from source text to findings: the only door through which `lsp` and `cli` reach the analysis."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Span, Tape


@dataclass(frozen=True, slots=True)
class NotAnalysed:
    """A function (or statement) that could not be analysed, or only in part, and why."""

    function: str
    span: Span
    reason: str
    partly: bool


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that is known about one file.

    `functions` counts the functions and methods seen; those in `gaps` were analysed partly or not at all. `tapes` hold
    one tape an entry (function, method, or the module itself) and path.
    """

    findings: tuple[Finding, ...] = ()
    tapes: tuple[Tape, ...] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    functions: int = 0


def analyse(text: str, filename: str) -> Analysis:
    """Analyse the source `text` of `filename` (absolute; used for spans only, nothing is read). Never raises."""
    raise NotImplementedError
