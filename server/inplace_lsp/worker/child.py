"""The process of a run: set its limits and sandbox, do the job, report the result.

The result goes as JSON lines over a descriptor of its own. A crash leaves Python's traceback there instead, and so does
the signal that ends a run which takes too long.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import json
import os
import signal
import sys
import tempfile
import time
from dataclasses import replace

from inplace_lsp.messages.answers import RunReport
from inplace_lsp.messages.codec import read_message
from inplace_lsp.messages.job import Job, Mode, Task
from inplace_lsp.messages.signals import Ready, SharedMemory
from inplace_lsp.worker import kernel, writers
from inplace_lsp.worker.channel import CLOSED, Channel, ClosedError
from inplace_lsp.worker.limits import Limits
from inplace_lsp.worker.processes import die_with_parent
from inplace_lsp.worker.safe_text import describe_error
from inplace_lsp.worker.sandbox import AUDIT, NETWORK, SIGNAL, WRITE, Sandbox
from inplace_lsp.worker.wire import LineReader

ENVIRONMENT = {"MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}


def main(_sources: dict[str, str]) -> None:
    """Run a job in a fresh interpreter: read it from standard input, write the result to standard output."""
    task = _read_task(sys.stdin.readline())
    channel = Channel(os.dup(1), task.token)
    os.dup2(2, 1)
    held = hold_back(task, separated=task.separate and kernel.enter_namespace())  # while there is one thread
    _load_torch(task.job)
    channel.send(Ready(time.process_time()))
    run_task(task, channel, held)


def _load_torch(job: Job) -> None:
    """Load torch, and start CUDA with its libraries: what takes seconds before the first op has run."""
    import torch  # noqa: PLC0415

    if job.on_cuda:
        with contextlib.suppress(Exception):  # a device that does not work is for the run to report
            square = torch.ones(2, 2, device=job.device, requires_grad=True)
            (square @ square).sigmoid().sum().backward()
            torch.cuda.synchronize(job.device)


def hold_back(task: Task, *, separated: bool) -> tuple[str, ...]:
    """Let the kernel hold back what the job is not allowed to do outside of its folder; return what does so, first for
    writes, if anything can. `separated`: this process has a mount namespace of its own."""
    allowed = task.job.allow
    besides = [kernel.IPC_NAMESPACE] if kernel.separate_ipc() else []
    besides += [kernel.NETWORK_NAMESPACE] if NETWORK not in allowed and kernel.separate_network() else []
    writes = _hold_back_writes(task, separated=separated) if WRITE not in allowed else ()
    besides += [kernel.SIGNAL_SCOPE] if SIGNAL not in allowed and kernel.refuse_signals() else []
    return (*writes, *besides)


def _hold_back_writes(task: Task, *, separated: bool) -> tuple[str, ...]:
    """Let the kernel refuse writes outside of the job's folder, and what root may do beyond others."""
    held: tuple[str, ...] = ()
    if separated and kernel.make_read_only(task.folder, cuda=task.job.on_cuda):
        held = (kernel.NAMESPACE,)
    elif kernel.apply_landlock(task.folder, cuda=task.job.on_cuda):
        held = (kernel.LANDLOCK,)
    kernel.drop_capabilities()
    return held


def await_job(jobs: int, result: int, *, rehearse: bool, separate: bool) -> None:
    """Wait in a forked process for a job and run it. The rehearsal is done by the time the job comes."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    separated = separate and kernel.enter_namespace()  # while there is one thread
    die_with_parent()
    if rehearse:
        with contextlib.suppress(Exception):
            _rehearse_run()
    lines = LineReader(jobs)
    while not lines.ended:
        for line in lines.read_lines():
            os.close(jobs)
            task = _read_task(line)
            run_task(task, Channel(result, task.token), hold_back(task, separated=separated))


def _read_task(line: str | bytes) -> Task:
    task = read_message(json.loads(line))
    assert isinstance(task, Task)
    return task


def _rehearse_run() -> None:
    """Do a small run under the recorder. A forked process shares its memory until it writes to it (if only to count
    references), and copying those pages takes longer than the run; the pages copied now need not be copied later."""
    import torch  # noqa: PLC0415

    from inplace_lsp.worker.recorder import observe  # noqa: PLC0415

    layer = torch.nn.Linear(2, 2)
    observe(lambda: layer(torch.rand(2, 2)).sigmoid().sum())


def run_task(task: Task, channel: Channel, held: tuple[str, ...]) -> None:
    """Do the job in this process and end it. The code's output goes to descriptors 1 and 2."""
    status = 1
    try:
        _contain_process(task, channel.descriptor)
        _perform_task(task, channel, held)
        status = 0
    except ClosedError:
        status = CLOSED
    except BaseException as problem:
        with contextlib.suppress(BaseException):
            channel.send(RunReport(failed=f"the worker itself failed: {describe_error(problem)}"))
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        os._exit(status)


def _contain_process(task: Task, result: int) -> None:
    die_with_parent()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.chdir(task.folder)
    os.environ.update(ENVIRONMENT, TMPDIR=task.folder, TORCHINDUCTOR_CACHE_DIR=task.folder)
    tempfile.tempdir = None  # what the parent has found out does not hold here
    sys.dont_write_bytecode = True
    sys.argv = [task.job.filename]
    faulthandler.enable(file=result, all_threads=False)
    faulthandler.register(signal.SIGTERM, file=result, all_threads=False, chain=True)
    limits = Limits(**task.job.limits)  # type: ignore[arg-type]  # its fields, but for those with defaults
    if task.job.on_cuda:  # its driver maps more memory than any limit allows
        limits = Limits(None, limits.file, limits.tasks)
    limits.apply_to_process()


def _perform_task(task: Task, channel: Channel, held: tuple[str, ...]) -> None:
    from inplace_lsp.worker.probe import probe_candidates  # noqa: PLC0415  (torch)
    from inplace_lsp.worker.run import JobRun  # noqa: PLC0415

    gc.enable()
    sandbox = _set_up_sandbox(task, channel, held)
    if task.mode is Mode.PROBE:
        probe_candidates(task.job, sandbox, channel.send)
    else:
        report = JobRun(task.job, sandbox).produce_report(recorded=task.mode is Mode.RECORDED)
        channel.send(replace(report, held_back_by=(*held, AUDIT)))


def _set_up_sandbox(task: Task, channel: Channel, held: tuple[str, ...]) -> Sandbox:
    """Set up the sandbox of the job, inside of what the kernel already holds back."""
    folders = [task.folder, *([kernel.SHARED] if kernel.NAMESPACE in held else [])]
    sandbox = Sandbox(folders, task.job.allow, held)
    writers.report_writes_to(sandbox, lambda name: channel.send(SharedMemory(name)))
    channel.keep_open()
    sandbox.install_hook()
    return sandbox
