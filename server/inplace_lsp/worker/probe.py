"""Find which of several inputs a target accepts, by trying each on the meta device, where tensors have shapes and no
data."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import torch

from inplace_lsp.messages.answers import Trial
from inplace_lsp.messages.job import Job
from inplace_lsp.worker.run import JobRun, TooLongError
from inplace_lsp.worker.sandbox import Sandbox


def probe_candidates(job: Job, sandbox: Sandbox, send: Callable[[Trial], None]) -> None:
    """Try every candidate of `job` and send what came of each; after a fault, no others."""
    device = job.device or "meta"
    for at, inputs in enumerate(job.candidates):
        trial = _try_candidate(at, replace(job, inputs=inputs, device=device, seed=0), device, sandbox)
        send(trial)
        if trial.fault:
            return


def _try_candidate(at: int, job: Job, device: str, sandbox: Sandbox) -> Trial:
    modules, finders = dict(sys.modules), list(sys.meta_path)
    try:
        with _time_limit(job.deadline_s), torch.device(device):
            error, steps = JobRun(job, sandbox, backward=False).attempt_call()
        return Trial(at, error is None, error, tuple(steps), undecided=_is_of_meta(error, device))
    except TooLongError:
        return Trial(at, False, f"still running after {job.deadline_s:g} s", fault=True)
    finally:  # the next try runs the file anew; what it imports stays
        sys.meta_path[:] = finders
        for name in [
            name for name, module in sys.modules.items() if name not in modules and _is_run_again(module, job)
        ]:
            del sys.modules[name]


def _is_run_again(module: object, job: Job) -> bool:
    driver = job.inputs.driver
    return getattr(module, "__file__", None) in (job.filename, driver.filename if driver is not None else job.filename)


SLOWEST = 8
"""Maximum elapsed time of a trial, as a multiple of its processor time."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TooLongError in the block after so many seconds of the processor."""

    def stop(_number: int, _frame: object) -> None:
        raise TooLongError

    signal.signal(signal.SIGPROF, stop)
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, SLOWEST * seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _is_of_meta(error: str | None, device: str) -> bool:
    return device == "meta" and error is not None and "meta" in error.lower()
