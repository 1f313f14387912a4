"""What an analysis comes to: plain data, for those who show it and need not know how it is made."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.state.facts import ParameterQuestion
from inplace_lsp.tape.model import Span, Tape


@dataclass(frozen=True, slots=True)
class NotAnalysed:
    """A function (or statement) that could not be analysed, or only in part, and why.

    `cut`: a safety budget ended it; `unreached` are the statements that may write or walk back and were never executed
    because of that.
    """

    function: str
    span: Span
    reason: str
    partly: bool
    cut: bool = False
    unreached: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that is known about one file.

    `functions` counts the functions and methods seen; those in `gaps` were analysed partly or not at all. `tapes` hold
    for each entry (function, method, or the module itself) the tape of its first path and of those that show a finding.
    `wanted` are the types that would have helped, whether they were known or not. `remarks` are findings about style,
    which break no gradient and are off by default. `unknown` are the library functions of which nothing is known though
    it would matter, each with the number of functions here that call it.
    """

    findings: tuple[Finding, ...] = ()
    tapes: tuple[Tape, ...] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    functions: int = 0
    wanted: tuple[ParameterQuestion, ...] = ()
    remarks: tuple[Finding, ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()
