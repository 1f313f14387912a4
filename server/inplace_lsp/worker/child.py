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

from inplace_lsp.worker.limits import Limits
from inplace_lsp.worker.processes import die_with_parent
from inplace_lsp.worker.wall import Wall
from inplace_lsp.worker.wire import Lines, send

ENVIRONMENT = {"MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
PROBE = "probe"
RECORDED = "recorded"
PLAIN = "plain"


def main(_sources: dict[str, str]) -> None:
    """A run in a fresh interpreter: the job is the next line of standard input, the result goes to standard output."""
    job = json.loads(sys.stdin.readline())
    result = os.dup(1)
    os.dup2(2, 1)
    import torch  # noqa: F401, PLC0415  (what takes long, before the clock starts)

    send(result, {"ready": True})
    run(job, result)


def wait(jobs: int, result: int, *, rehearse: bool) -> None:
    """A run in a forked process that is there before its job. What it rehearses is done when the job comes."""
    die_with_parent()
    if rehearse:
        with contextlib.suppress(Exception):
            _rehearse()
    lines = Lines(jobs)
    while not lines.ended:
        for line in lines.read():
            os.close(jobs)
            run(json.loads(line), result)


def _rehearse() -> None:
    """A small run under the recorder. A forked process shares its memory until it is written, if only to count who
    uses it, and to copy it takes longer than the run; what was written here need not be copied later."""
    import torch  # noqa: PLC0415

    from inplace_lsp.worker.recorder import observe  # noqa: PLC0415

    layer = torch.nn.Linear(2, 2)
    observe(lambda: layer(torch.rand(2, 2)).sigmoid().sum())


def run(job: dict[str, Any], result: int) -> None:
    """Do the job in this process and end it. Descriptors 1 and 2 are where the code's output goes."""
    status = 1
    try:
        _contain(job, result)
        _do(job, result)
        status = 0
    except BaseException as problem:
        with contextlib.suppress(BaseException):
            send(result, {"failed": f"the worker itself failed: {type(problem).__name__}: {problem}"})
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


def _do(job: dict[str, Any], result: int) -> None:
    from inplace_lsp.worker.probe import probe  # noqa: PLC0415  (torch)
    from inplace_lsp.worker.run import Run  # noqa: PLC0415

    gc.enable()
    wall = Wall([job["folder"]], job.get("allow") or ())
    wall.stand()
    if job["mode"] == PROBE:
        probe(job, wall, lambda message: send(result, message))
    else:
        send(result, Run(job, wall).result(recorded=job["mode"] == RECORDED))
