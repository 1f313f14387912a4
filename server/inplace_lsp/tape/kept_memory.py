"""The memory that a graph keeps until backward, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.tape.model import Span


@dataclass(frozen=True, slots=True)
class KeptTensors:
    """Tensors of one size that an op on one line saved for backward.

    `role` is the part of the op that they are, as in `Save`; `shape` that of the first; `size` the bytes of all of them
    together; `modules` the paths and classes of the modules that were called: `layers.0.norm (LayerNorm)`.
    """

    span: Span
    op: str
    role: str
    shape: tuple[int, ...]
    count: int
    size: int
    modules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory, in bytes, that was in use at a time. `device`: a CUDA device, whose allocator was asked; "" for
    the whole process."""

    device: str
    size: int


@dataclass(frozen=True, slots=True)
class KeptMemory:
    """What the graph kept when the `backward` that found most of it began, the largest first. `size`: all of `tensors`,
    in bytes; memory that several ops save counts once, and parameters and buffers do not count, which live anyway."""

    backward: Span
    size: int
    tensors: tuple[KeptTensors, ...]
    peaks: tuple[Peak, ...]
    rank: int | None = None
