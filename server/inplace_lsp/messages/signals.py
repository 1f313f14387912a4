"""Messages that carry no work: who the worker is, what it does on its own account, what is to be stopped."""

from __future__ import annotations

from dataclasses import dataclass

PROTOCOL = 3
"""Raised whenever a message changes its meaning; host and worker of different protocols do not talk."""


@dataclass(frozen=True)
class Hello:
    """What a worker says of itself. `error`: why it cannot verify, "" if it can."""

    python: str
    executable: str
    torch: str = ""
    cuda: tuple[str, ...] = ()
    fork: bool = False
    error: str = ""
    protocol: int = PROTOCOL


@dataclass(frozen=True)
class Warming:
    """The worker loads what many runs need: no job's clock runs meanwhile."""


@dataclass(frozen=True)
class Warm:
    """It has done so."""


@dataclass(frozen=True)
class Cancel:
    """The job `id` is to be given up."""

    id: int


@dataclass(frozen=True)
class Ready:
    """A process that was started afresh has loaded torch and started its device: now its clock starts. That took
    `worked` seconds of the processor."""

    worked: float = 0.0


@dataclass(frozen=True)
class SharedMemory:
    """A run has made shared memory of that name, which outlives its maker."""

    name: str
