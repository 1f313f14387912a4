"""The process of one run: its limits, its wall, its way to tell the worker what came of it.

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
from typing import Any

from inplace_lsp.worker import kernel, writers
from inplace_lsp.worker.channel import CLOSED, SHARED, TOKEN, Channel, ClosedError
from inplace_lsp.worker.limits import Limits
from inplace_lsp.worker.processes import die_with_parent
from inplace_lsp.worker.wall import AUDIT, WRITE, Wall
from inplace_lsp.worker.wire import Lines
from inplace_lsp.worker.words import describe

ENVIRONMENT = {"MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
PROBE = "probe"
RECORDED = "recorded"
PLAIN = "plain"


def main(_sources: dict[str, str]) -> None:
    """A run in a fresh interpreter: the job is the next line of standard input, the result goes to standard output."""
    job = json.loads(sys.stdin.readline())
    channel = Channel(os.dup(1), job[TOKEN])
    os.dup2(2, 1)
    held = hold_back(job, separated=job["separate"] and kernel.separate())  # while there is one thread
    import torch  # noqa: F401, PLC0415  (what takes long, before the clock starts)

    channel.send({"ready": True})
    run(job, channel, held)


def hold_back(job: dict[str, Any], *, separated: bool) -> tuple[str, ...]:
    """Let the kernel refuse the job's writes outside of its folder; return what does so, if anything can.

    `separated`: this process has a mount namespace of its own.
    """
    if WRITE in (job.get("allow") or ()):
        return ()
    cuda = str(job.get("device", "cpu")).startswith("cuda")
    if separated and kernel.make_read_only(job["folder"], cuda=cuda):
        return (kernel.NAMESPACE,)
    return (kernel.LANDLOCK,) if kernel.restrict(job["folder"], cuda=cuda) else ()


def wait(jobs: int, result: int, *, rehearse: bool, separate: bool) -> None:
    """A run in a forked process that is there before its job. What it rehearses is done when the job comes."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    separated = separate and kernel.separate()  # while there is one thread
    die_with_parent()
    if rehearse:
        with contextlib.suppress(Exception):
            _rehearse()
    lines = Lines(jobs)
    while not lines.ended:
        for line in lines.read():
            os.close(jobs)
            job = json.loads(line)
            run(job, Channel(result, job[TOKEN]), hold_back(job, separated=separated))


def _rehearse() -> None:
    """A small run under the recorder. A forked process shares its memory until it is written, if only to count who
    uses it, and to copy it takes longer than the run; what was written here need not be copied later."""
    import torch  # noqa: PLC0415

    from inplace_lsp.worker.recorder import observe  # noqa: PLC0415

    layer = torch.nn.Linear(2, 2)
    observe(lambda: layer(torch.rand(2, 2)).sigmoid().sum())


def run(job: dict[str, Any], channel: Channel, held: tuple[str, ...]) -> None:
    """Do the job in this process and end it. Descriptors 1 and 2 are where the code's output goes."""
    status = 1
    try:
        _contain(job, channel.descriptor)
        _do(job, channel, held)
        status = 0
    except ClosedError:
        status = CLOSED
    except BaseException as problem:
        with contextlib.suppress(BaseException):
            channel.send({"failed": f"the worker itself failed: {describe(problem)}"})
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        os._exit(status)


def _contain(job: dict[str, Any], result: int) -> None:
    die_with_parent()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.chdir(job["folder"])
    os.environ.update(ENVIRONMENT, TMPDIR=job["folder"], TORCHINDUCTOR_CACHE_DIR=job["folder"])
    tempfile.tempdir = None  # what the parent has found out does not hold here
    sys.dont_write_bytecode = True
    sys.argv = [job["filename"]]
    faulthandler.enable(file=result, all_threads=False)
    faulthandler.register(signal.SIGTERM, file=result, all_threads=False, chain=True)
    limits = Limits(**job.get("limits") or {})
    if str(job.get("device", "cpu")).startswith("cuda"):  # its driver maps more memory than any limit allows
        limits = Limits(None, limits.file, limits.tasks)
    limits.set()


def _do(job: dict[str, Any], channel: Channel, held: tuple[str, ...]) -> None:
    from inplace_lsp.worker.probe import probe  # noqa: PLC0415  (torch)
    from inplace_lsp.worker.run import Run  # noqa: PLC0415

    gc.enable()
    wall = _raised_wall(job, channel, held)
    if job["mode"] == PROBE:
        probe(job, wall, channel.send)
    else:
        channel.send({**Run(job, wall).result(recorded=job["mode"] == RECORDED), "held_back_by": [*held, AUDIT]})


def _raised_wall(job: dict[str, Any], channel: Channel, held: tuple[str, ...]) -> Wall:
    """The wall round the job, with what the kernel does already behind it."""
    folders = [job["folder"], *([kernel.SHARED] if kernel.NAMESPACE in held else [])]
    wall = Wall(folders, job.get("allow") or (), held)
    writers.bring_to(wall, lambda name: channel.send({SHARED: name}))
    channel.keep_open()
    wall.stand()
    return wall
