"""Which of several inputs a target accepts: each is tried on the meta device, where tensors have shapes and no data."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from inplace_lsp.worker.run import Run, TooLongError
from inplace_lsp.worker.wall import Wall


def probe(job: dict[str, Any], wall: Wall, send: Callable[[dict[str, Any]], None]) -> None:
    """Try every candidate of `job` and send one answer each.

    `undecided`: the meta device itself was the problem (data were asked for), so that only a real run can tell.
    """
    device = job.get("device") or "meta"
    for at, inputs in enumerate(job["candidates"]):
        answer = _tried({**job, "inputs": inputs, "device": device, "seed": 0}, wall, job["deadline_s"])
        send({"candidate": at, "undecided": _is_of_meta(answer["error"], device), **answer})
        if answer["fault"]:
            return


def _tried(job: dict[str, Any], wall: Wall, seconds: float) -> dict[str, Any]:
    """Whether the target accepts the inputs; if not, why. `fault`: it did not come to an end."""
    modules, finders = dict(sys.modules), list(sys.meta_path)
    try:
        with _time_limit(seconds), torch.device(job["device"]):
            error, rows = Run(job, wall, backward=False).attempt()
        return {"ok": error is None, "error": error, "rows": rows, "fault": False}
    except TooLongError:
        return {"ok": False, "error": f"still running after {seconds:g} s", "rows": [], "fault": True}
    finally:  # the next try runs the file anew; what it imports stays
        sys.meta_path[:] = finders
        for name in [name for name, one in sys.modules.items() if name not in modules and _is_of(one, job)]:
            del sys.modules[name]


def _is_of(module: object, job: dict[str, Any]) -> bool:
    return bool(getattr(module, "__file__", None) == job["filename"])


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def stop(_number: int, _frame: object) -> None:
        raise TooLongError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _is_of_meta(error: str | None, device: str) -> bool:
    return device == "meta" and error is not None and "meta" in error.lower()
