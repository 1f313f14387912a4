"""How a run is to be made, as the user asked for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inplace_lsp.messages.signals import Hello

CPU = "cpu"
DEADLINE = 10.0
KINDS = ("write", "network", "subprocess", "signal")
"""What the sandbox refuses unless it is allowed: `worker/sandbox.py`."""
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

    def choose_device(self, hello: Hello) -> str:
        """Return the device of the last run, among those the worker has: auto takes a GPU for what does not show on
        the CPU. Raises DeviceError."""
        if self.device == "auto":
            return hello.cuda[0] if hello.cuda else CPU
        if self.device == CPU:
            return CPU
        if not _CUDA.fullmatch(self.device):
            raise DeviceError(f"{self.device!r} is not a device; use auto, cpu, cuda or cuda:N")
        wanted = self.device if ":" in self.device else f"{self.device}:0"
        if wanted not in hello.cuda:
            there = ", ".join(hello.cuda) or "no GPU that torch can use"
            raise DeviceError(f"{self.device} was asked for, but the worker has {there}; use --device cpu or auto")
        return wanted

    def limits(self) -> dict[str, int]:
        """Return the limits of a run that differ from the worker's defaults."""
        return {} if self.memory is None else {"memory": self.memory}
