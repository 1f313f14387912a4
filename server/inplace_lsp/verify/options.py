"""How a run is to be made, as the user asked for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from inplace_lsp.verify.launch import Hello

DEADLINE = 10.0
KINDS = ("write", "network", "subprocess", "signal")
"""What the wall refuses unless it is allowed: `worker/wall.py`."""
_CUDA = re.compile(r"cuda(:\d+)?")


class DeviceError(Exception):
    """The device that was asked for is not there; the message says what is."""


@dataclass(frozen=True, slots=True)
class Options:
    """`device`: auto, cpu, cuda or cuda:N. `memory`: bytes a run may take besides torch's own, None for the default."""

    device: str = "auto"
    deadline: float = DEADLINE
    seed: int = 0
    allow: tuple[str, ...] = ()
    memory: int | None = None

    def resolved(self, hello: Hello) -> str:
        """The device to run on, among those the worker has. Raises DeviceError."""
        if self.device == "auto":
            return hello.cuda[0] if hello.cuda else "cpu"
        if self.device == "cpu":
            return "cpu"
        if not _CUDA.fullmatch(self.device):
            raise DeviceError(f"{self.device!r} is no device; use auto, cpu, cuda or cuda:N")
        wanted = self.device if ":" in self.device else f"{self.device}:0"
        if wanted not in hello.cuda:
            there = ", ".join(hello.cuda) or "no GPU that torch can use"
            raise DeviceError(f"{self.device} was asked for, but the worker has {there}; use --device cpu or auto")
        return wanted

    def job(self) -> dict[str, Any]:
        """The part of a job that says how."""
        limits = {} if self.memory is None else {"memory": self.memory}
        return {"seed": self.seed, "deadline_s": self.deadline, "allow": list(self.allow), "limits": limits}
