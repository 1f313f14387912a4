"""The result of an analysis: plain data for those who present it."""

from __future__ import annotations

from dataclasses import dataclass, field

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.state.facts import NO_FACTS, Facts, ParameterQuestion
from inplace_lsp.tape.model import Span, Tape


@dataclass(frozen=True, slots=True)
class NotAnalysed:
    """A function (or statement) that was not or only partly analysed, with the reason.

    `cut`: a safety budget ended it; `unreached` are the statements that may write or run backward and were not executed
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
    """The result of the analysis of one file.

    `functions` is the number of functions and methods; those in `gaps` were analysed partly or not at all. `tapes` hold
    for each entry (function, method, or the module itself) the tape of its first path and of those with a finding.
    `wanted` are the types that would have helped, known or not. `remarks` are findings about style, which break no
    gradient and are off by default. `unknown` are the library functions without a model where one would matter, each
    with the number of functions here that call it. `facts` are the facts used besides the text;
    `torch` is the torch release that its ops are those of.
    """

    findings: tuple[Finding, ...] = ()
    tapes: tuple[Tape, ...] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    functions: int = 0
    wanted: tuple[ParameterQuestion, ...] = ()
    remarks: tuple[Finding, ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()
    facts: Facts = field(default=NO_FACTS, repr=False, compare=False)
    torch: str = ""
