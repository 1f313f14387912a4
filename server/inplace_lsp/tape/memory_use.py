"""The memory of one run, line by line, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.tape.kept_memory import KeptTensors
from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """The memory of the tensors that are alive when a line has run one or more ops: the most of them, in bytes.
    `walking`: the ops are those of a backward, which that line has started."""

    span: Span
    size: int
    walking: bool


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """What a run needs besides what it was given (inputs, parameters and buffers).

    `peak`: the most that was allocated at a time, in bytes, as `counter` counts. `steps`: line by line, oldest first,
    and `kept`: the tensors that are alive when backward begins, by who made them, the largest first; both counted after
    each op, without what an op needs for itself while it runs.
    """

    peak: int = 0
    counter: str = ""
    steps: tuple[MemoryStep, ...] = ()
    kept: tuple[KeptTensors, ...] = ()
