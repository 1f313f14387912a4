"""The memory that a graph keeps until backward, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class KeptTensors:
    """Tensors of one size that an op on one line saved for backward."""

    span: Span
    """The line of the op."""
    op: str
    """The op that saved the tensors."""
    role: str
    """The op's name for the tensors, as in `Save`."""
    shape: tuple[int, ...]
    """The shape of the first tensor."""
    count: int
    """Number of tensors."""
    size: int
    """Bytes of all the tensors together."""
    modules: tuple[str, ...]
    """Paths and classes of the modules that were running: `layers.0.norm (LayerNorm)`."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory that was in use at one time."""

    device: str
    """The CUDA device whose allocator reports it; "" for the whole process."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class KeptMemory:
    """The memory that the graph kept when its largest backward began.

    Memory that several ops save counts once; parameters and buffers do not count.
    """

    backward: Span
    """The backward that found the most memory kept."""
    size: int
    """Bytes of all `tensors`."""
    tensors: tuple[KeptTensors, ...]
    """The kept tensors, the largest first."""
    peaks: tuple[Peak, ...]
    """The most memory in use, for each device and the process."""
    rank: int | None = None
    """The rank of this process, if a launcher gave it one."""
