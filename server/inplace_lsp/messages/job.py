"""A job: what the worker is to run, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from inplace_lsp.messages.inputs import Inputs


class Op(str, Enum):
    """What is done with a job: run it, or try which of its candidates the target accepts."""

    VERIFY = "verify"
    PROBE = "probe"


class Mode(str, Enum):
    """How a process runs a job."""

    PLAIN = "plain"
    RECORDED = "recorded"
    PROBE = "probe"


@dataclass(frozen=True)
class Job:
    """A target and how it is run. `rows` are the target's; `path` the folders of the project's modules; `limits` those
    of `worker.limits.Limits`. A job to verify has `inputs`, one to probe has `candidates`. `measures`: the runs
    bring the memory that the target needs instead of a tape."""

    op: Op
    text: str
    filename: str
    target: str
    deadline_s: float
    module: str | None = None
    path: tuple[str, ...] = ()
    rows: tuple[int, int] = (0, 0)
    device: str | None = None
    seed: int = 0
    allow: tuple[str, ...] = ()
    limits: Mapping[str, int | None] = field(default_factory=dict)
    inputs: Inputs = field(default_factory=lambda: Inputs("inferred"))
    candidates: tuple[Inputs, ...] = ()
    id: int | None = None
    measures: bool = False

    @property
    def seconds(self) -> float:
        """Return the seconds that all of it may take: each candidate has its own."""
        return self.deadline_s * max(1, len(self.candidates))

    @property
    def on_cuda(self) -> bool:
        """Return whether it runs on a GPU."""
        return (self.device or "").startswith("cuda")


@dataclass(frozen=True)
class Task:
    """A job on its way to a process of the worker: in one mode, in a `folder` of its own. `token` marks the messages of
    the run itself. `separate`: the process may make a mount namespace of its own."""

    job: Job
    mode: Mode
    folder: str
    token: str
    separate: bool = False
