"""The result of an analysis: plain data for those who present it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.internal_errors import describe_error
from inplace_lsp.interpret.state.facts import NO_FACTS, Facts, ParameterQuestion
from inplace_lsp.tape.model import Span, Tape


class Cause(Enum):
    """Why something was not analysed, or only in part."""

    UNKNOWN = "it calls what is not known"
    BUDGET = "a safety budget ended it"
    FAULT = "an internal error"
    SYNTAX = "it is not Python"
    UNREADABLE = "it is Python that cannot be read"


@dataclass(frozen=True, slots=True)
class NotAnalysed:
    """A function (or statement) that was not or only partly analysed, with the reason in words.

    `unreached` are the statements that may write or run backward and were not executed because of a safety budget;
    `stopped` is the row at which the parser stopped.
    """

    function: str
    span: Span
    reason: str
    cause: Cause
    unreached: tuple[Span, ...] = ()
    stopped: Span | None = None

    @property
    def place(self) -> Span:
        """The place to name to a person."""
        return self.stopped or self.span

    @property
    def partly(self) -> bool:
        """Return whether a part of it was analysed."""
        return self.cause in (Cause.UNKNOWN, Cause.BUDGET)

    @property
    def cut(self) -> bool:
        """Return whether a safety budget ended it."""
        return self.cause is Cause.BUDGET


def fault_of(function: str, span: Span, error: Exception) -> NotAnalysed:
    """Return the gap that an internal error has made in what is known of a function."""
    return NotAnalysed(function, span, describe_error(error), Cause.FAULT)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of the analysis of one file.

    `functions` is the number of functions and methods; those in `gaps` were analysed partly or not at all. `tapes` hold
    for each entry (function, method, or the module itself) the tape of its first path and of those with a finding.
    `negligible` are hints that need a gradient of what no network computes: only the search for a cause looks at them.
    `wanted` are the types that would have helped, known or not. `remarks` are findings about style, which break no
    gradient and are off by default. `unknown` are the library functions without a model where one would matter, each
    with the number of functions here that call it. `facts` are the facts used besides the text;
    `torch` is the torch release that its ops are those of. `pieces`: of a text that somebody types, what its next
    analysis needs to know; `code`: what it means, which no comment, docstring or half-typed statement changes.
    """

    findings: tuple[Finding, ...] = ()
    tapes: Sequence[Tape] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    functions: int = 0
    negligible: tuple[Finding, ...] = ()
    wanted: tuple[ParameterQuestion, ...] = ()
    remarks: tuple[Finding, ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()
    facts: Facts = field(default=NO_FACTS, repr=False, compare=False)
    torch: str = ""
    pieces: tuple[Any, ...] = field(default=(), repr=False, compare=False)
    code: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def with_gaps(self, gaps: Iterable[NotAnalysed]) -> Analysis:
        """Return the analysis with further gaps, each once."""
        return replace(self, gaps=tuple(dict.fromkeys((*self.gaps, *gaps))))


Early = Callable[[Analysis], None]
"""A callback for what an analysis knows before it knows all."""
