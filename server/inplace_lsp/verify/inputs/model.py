"""What a function is run with, and what the search for it needs to be told: plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from inplace_lsp.messages.answers import Step
from inplace_lsp.messages.inputs import Inputs


def describe_inputs(inputs: Inputs) -> dict[str, str]:
    """Return what the target was given, for people: the instance, the arguments, or what called it."""
    if inputs.driver is not None:
        return {"call": inputs.driver.call or inputs.driver.filename}
    return {**({"self": inputs.receiver} if inputs.receiver else {}), **inputs.arguments}


@dataclass(frozen=True, slots=True)
class Missing:
    """No inputs were found: what was missing, and a directive to be filled in, to be inserted above `row`."""

    function: str
    what: str
    directive: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Hints:
    """What the reason for the run tells: rows that must be reached, parameters that must require grad, functions by
    which the target must be called, and the names of tensors that are written."""

    rows: tuple[int, ...] = ()
    requires_grad: frozenset[str] = frozenset()
    callers: tuple[str, ...] = ()
    written: frozenset[str] = frozenset()

    def join_hints(self, others: Hints) -> Hints:
        """Return these hints followed by the others."""
        rows = dict.fromkeys([*self.rows, *others.rows])
        callers = dict.fromkeys([*self.callers, *others.callers])
        needy, written = self.requires_grad | others.requires_grad, self.written | others.written
        return Hints(tuple(rows), needy, tuple(callers), written)


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """A run without data. `steps`: those of the target's file in the traceback, outermost first."""

    ok: bool
    error: str | None = None
    steps: tuple[Step, ...] = ()

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of the steps."""
        return tuple(row for row, _ in self.steps)


class Probe(Protocol):
    """Runs candidates on the meta device, where tensors have shapes but no data, or on the CPU."""

    def __call__(self, candidates: Sequence[Inputs], /, *, data: bool = False) -> Sequence[ProbeResult]:
        """One result for each candidate, in order."""
        ...


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the project. `module` is the name by which the others import it, None for a script."""

    path: str
    text: str
    module: str | None


class Files(Protocol):
    """The project's other files."""

    def files_mentioning(self, word: str, /) -> Iterable[SourceFile]:
        """Files whose text holds `word`, tests and examples first."""
        ...

    def module(self, name: str, /) -> SourceFile | None:
        """Return the file of a module of the project, by its full name."""
        ...

    def data(self, name: str, /) -> str | None:
        """Return the text of a file of the project, by a path from the verified file's folder or from the project's."""
        ...


class NoFiles:
    """A project of one file."""

    def module(self, name: str, /) -> SourceFile | None:
        """Return nothing."""
        return None

    def data(self, name: str, /) -> str | None:
        """Return nothing."""
        return None

    def files_mentioning(self, word: str, /) -> Iterable[SourceFile]:
        """Yield nothing."""
        return ()
