"""The memory of one run, line by line, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.tape.kept_memory import KeptTensors
from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """The memory of all living tensors after the ops of a line."""

    span: Span
    """The line."""
    size: int
    """The most bytes after any of its ops."""
    walking: bool
    """Whether the ops are those of a backward that the line has started."""


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The memory that a run needs in addition to its inputs, parameters and buffers.

    `steps` and `kept` are counted after each op, without the memory that an op needs only while it runs.
    """

    peak: int = 0
    """The most bytes that were allocated at one time."""
    counter: str = ""
    """What measured the peak."""
    steps: tuple[MemoryStep, ...] = ()
    """The memory line by line, oldest first."""
    kept: tuple[KeptTensors, ...] = ()
    """The tensors that are alive when backward begins, by the op that made them, the largest first; without leaves
    that require grad, such as parameters that the run itself made."""

    def largest(self, share: float) -> tuple[KeptTensors, ...]:
        """Return the tensors that take at least such a share of all that is kept."""
        least = share * sum(kept.size for kept in self.kept)
        return tuple(kept for kept in self.kept if kept.size >= least)
