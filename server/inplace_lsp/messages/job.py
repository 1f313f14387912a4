"""A job: what the worker is to run, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from inplace_lsp.messages.inputs import Driver, Inputs


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
    of `worker.limits.Limits`. A job to verify has `inputs`, one to probe has `candidates`."""

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


def write_job(job: Job) -> dict[str, Any]:
    """Return the job as plain data."""
    return asdict(job)


def read_job(data: Mapping[str, Any]) -> Job:
    """Return the job of plain data; what is missing has its default. Raises KeyError, TypeError or ValueError."""
    known = {name: data[name] for name in Job.__dataclass_fields__ if data.get(name) is not None}
    return Job(
        **{
            **known,
            "op": Op(data["op"]),
            "deadline_s": float(data["deadline_s"]),
            "path": tuple(known.get("path", ())),
            "rows": tuple(known.get("rows", (0, 0))),
            "allow": tuple(known.get("allow", ())),
            "inputs": _read_inputs(known.get("inputs") or {}),
            "candidates": tuple(map(_read_inputs, known.get("candidates", ()))),
        }
    )


def write_task(task: Task) -> dict[str, Any]:
    """Return the task as plain data."""
    return asdict(task)


def read_task(data: Mapping[str, Any]) -> Task:
    """Return the task of plain data."""
    return Task(read_job(data["job"]), Mode(data["mode"]), data["folder"], data["token"], data["separate"])


def _read_inputs(data: Mapping[str, Any]) -> Inputs:
    driver = data.get("driver")
    return Inputs(
        data.get("source", "inferred"),
        data.get("setup") or "",
        data.get("receiver"),
        data.get("arguments") or {},
        None if driver is None else Driver(**driver),
    )
