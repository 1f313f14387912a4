"""The worker: takes jobs from its host over standard input, runs each in a process of its own, and answers.

It keeps torch loaded and never computes with it, so that a fork of it is a clean start. Standard input and output
become the pipe to the host; what they were for others is taken away, so that nothing printed can break the protocol.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import secrets
import select
import selectors
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import Any

from inplace_lsp.worker import child, kernel, leftovers, processes
from inplace_lsp.worker.channel import TOKEN
from inplace_lsp.worker.fates import describe_outcome
from inplace_lsp.worker.processes import Process
from inplace_lsp.worker.wire import PROTOCOL, Lines, parsed, send
from inplace_lsp.worker.words import describe

GRACE = 0.5
"""Seconds between the request to end and the end of a run that takes too long."""
START = 60.0
"""Seconds that a fresh interpreter may take to load torch."""
SPARES = 2
"""So many processes wait for the next job, one for each of its runs."""
IDLE = 0.5
"""So long nothing must be asked for before the worker does something on its own account."""
LOOK = 0.5
"""Seconds between two looks at whether the host is still there, while the worker loads what takes long."""
SLOW = "optim"
"""Programs that mention this mostly load `torch._dynamo`, which takes longer than most runs."""
NOT_TRIED = {"ok": False, "error": "not tried", "rows": [], "fault": False}
TORCH = (2, 1)


def main(sources: dict[str, str]) -> None:
    """Say hello and serve until the host hangs up."""
    os.environ["TORCHDYNAMO_DISABLE"] = "1"  # what torch.compile wraps is run as it is written
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # two runs side by side: threads that spin would slow the other
    jobs, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt in the host's terminal is the host's to handle
    signal.signal(signal.SIGTERM, _leave)
    with _ending_with_host(jobs):
        hello = _hello()
    send(answers, hello)
    if hello["error"] is None:
        processes.adopt_orphans()
        leftovers.sweep()
        gc.freeze()  # what is there now stays: a child that collects garbage would copy all of it
        Server(jobs, answers, sources, fork=hello["fork"]).serve()
    os._exit(0)  # nothing is left to tidy up, and to take torch apart takes long


def _leave(_number: int, _frame: object) -> None:
    """End as after the last job: with all processes, and without a trace on the disk."""
    raise SystemExit


@contextlib.contextmanager
def _ending_with_host(jobs: int) -> Iterator[None]:
    """Look now and then, while something takes long, whether the host has gone; end with it."""
    poll = select.poll() if hasattr(select, "poll") else None
    if poll is None:
        yield
        return
    poll.register(jobs, 0)  # to be told of a hang-up needs no asking

    def look(_number: int, _frame: object) -> None:
        if poll.poll(0):
            os._exit(0)  # the waiting processes die with this one

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _hello() -> dict[str, Any]:
    hello: dict[str, Any] = {
        "op": "hello",
        "protocol": PROTOCOL,
        "python": sys.version.split()[0],
        "executable": sys.executable,
        "torch": None,
        "cuda": [],
        "fork": hasattr(os, "fork") and sys.platform != "darwin",
        "error": None,
    }
    try:
        import torch  # noqa: PLC0415  (may be missing, which is said)
    except Exception as problem:
        what = "it has no torch" if isinstance(problem, ModuleNotFoundError) else f"torch cannot be imported: {problem}"
        return {**hello, "error": what}
    hello["torch"] = str(torch.__version__)
    if tuple(int(part) for part in hello["torch"].split(".")[:2]) < TORCH:
        return {**hello, "error": f"its torch is {hello['torch']}; verify needs 2.1 or newer"}
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")  # asks without starting CUDA: no fork survives that
    with contextlib.suppress(Exception):
        hello["cuda"] = [f"cuda:{at}" for at in range(torch.cuda.device_count())]
    from inplace_lsp.worker import probe, run, writers  # noqa: F401, PLC0415  (loaded once for all runs)

    writers.stand_by()
    return hello


class Server:
    """One host, one job at a time; a job's runs go side by side."""

    def __init__(self, jobs: int, answers: int, sources: dict[str, str], *, fork: bool) -> None:
        self._jobs = Lines(jobs)
        self._answers = answers
        self._sources = sources
        self._fork = fork
        self._warm = False
        self._served = False
        self._waiting: deque[dict[str, Any]] = deque()
        self._cancelled: set[Any] = set()
        self._spares: list[Process] = []

    def serve(self) -> None:
        """Answer job after job."""
        try:
            self._serve()
        finally:
            for one in self._spares:
                processes.end_family(one)

    def _serve(self) -> None:
        while True:
            while not self._waiting:
                if self._jobs.ended:
                    return
                if not self._warm and (self._served or not _is_ready(self._jobs.descriptor, IDLE)):
                    self._warm_up()
                self._refill([])
                self._listen()
            job = self._waiting.popleft()
            answer = self._answer(job)
            if self._jobs.ended:
                return
            send(self._answers, {"op": "result", "id": job.get("id"), **answer})
            self._served = True

    def _warm_up(self) -> None:
        """Load what many runs would have to load each for itself: when idle, or once there is more than one job. The
        host is told, whose clock shall not run meanwhile."""
        if not self._warm and self._fork:
            send(self._answers, {"op": "warming"})
            with contextlib.suppress(Exception), _ending_with_host(self._jobs.descriptor):
                import torch._dynamo  # noqa: PLC0415  (optimizers load it at their first use)

                nothing = torch.empty(1, 1, device="meta")
                nothing @ nothing  # what meta tensors load; no thread of torch's is started by ops without data
                _look_up_ops()
            gc.freeze()
            send(self._answers, {"op": "warm"})
        self._warm = True

    def _refill(self, runs: list[Process]) -> None:
        """Have processes ready for the next job. `runs` are those that are busy."""
        while self._warm and self._fork and len(self._spares) < SPARES:
            self._spares.append(self._forked(runs, rehearse=True))

    def _forked(self, runs: list[Process], *, rehearse: bool) -> Process:
        private = (self._jobs.descriptor, self._answers)
        work = partial(child.wait, rehearse=rehearse, separate=kernel.offers_namespace())
        return processes.fork(work, [*runs, *self._spares], private)

    def _listen(self) -> None:
        for line in self._jobs.read():
            message = parsed(line)
            if message is None:
                continue
            if message.get("op") == "cancel":
                self._cancelled.add(message.get("id"))
            else:
                self._waiting.append(message)

    def _answer(self, job: dict[str, Any]) -> dict[str, Any]:
        if job["op"] == child.PROBE or SLOW in job["text"]:
            self._warm_up()
        started = time.monotonic()
        folder = tempfile.mkdtemp(prefix=leftovers.FOLDER)
        try:
            job = {**job, "folder": folder}
            probes = job["op"] == child.PROBE
            outcomes = self._probe(job) if probes else self._run(job, [child.PLAIN, child.RECORDED])
        except Exception as problem:
            return {"failed": f"the worker could not run it: {describe(problem)}"}
        finally:
            leftovers.remove(folder)
        return {**outcomes, "seconds": round(time.monotonic() - started, 3)}

    def _probe(self, job: dict[str, Any]) -> dict[str, Any]:
        """One answer for each candidate. What the meta device cannot decide is run on the CPU. After a fault (one takes
        too long, or its process with it) no others are tried: they would most likely do the same."""
        answers: dict[int, dict[str, Any]] = {}
        for device in ("cpu",) if job.get("device") == "cpu" else ("meta", "cpu"):
            left = [at for at in range(len(job["candidates"])) if _is_open(answers.get(at), device)]
            if not left:
                break
            part = {**job, "device": device, "candidates": [job["candidates"][at] for at in left]}
            outcome = self._run(part, [child.PROBE])
            if child.PROBE not in outcome:
                return outcome
            found = outcome[child.PROBE]["results"]
            answers.update({left[one["candidate"]]: one for one in found})
            if len(found) < len(left) and not any(one["fault"] for one in found):
                why = outcome[child.PROBE].get("failed", "its process ended")
                answers[left[len(found)]] = {"ok": False, "error": why, "rows": [], "fault": True}
            if any(one["fault"] for one in answers.values()):
                break
        told = (answers.get(at, NOT_TRIED) for at in range(len(job["candidates"])))
        return {"results": [{key: one[key] for key in NOT_TRIED} for one in told]}

    def _run(self, job: dict[str, Any], modes: list[str]) -> dict[str, Any]:
        """What every run of the job came to, by its mode."""
        runs: dict[str, Process] = {}
        lost: Process | None = None
        try:
            for mode in modes:
                folder = tempfile.mkdtemp(prefix=f"{mode}-", dir=job["folder"])  # or one would see the other's files
                part = {**job, "mode": mode, "folder": folder, TOKEN: secrets.token_hex(8)}
                runs[mode] = self._start(part, list(runs.values()))
            self._watch(job, list(runs.values()))
            lost = next(filter(_is_lost, runs.values()), None)
        finally:
            for process in runs.values():
                processes.end_family(process)
            processes.end_orphans({one.pid for one in self._spares})
            for process in runs.values():
                process.drain()
                process.close()
                leftovers.forget_shared_memory(process)
        if job.get("id") in self._cancelled:
            return {"cancelled": True}
        return {mode: describe_outcome(process, job, lost or process) for mode, process in runs.items()}

    def _start(self, job: dict[str, Any], others: list[Process]) -> Process:
        seconds = float(job["deadline_s"]) * max(1, len(job.get("candidates", ())))
        if self._fork and not str(job.get("device")).startswith("cuda"):
            process = self._spare() or self._forked(others, rehearse=False)
            process.begin(job, seconds)
            return process
        return processes.spawn(self._bootstrap(), {**job, "separate": kernel.offers_namespace()}, seconds + START)

    def _spare(self) -> Process | None:
        """A process that waits for a job, if there is one that nothing has happened to."""
        while self._spares:
            process = self._spares.pop()
            if not processes.reap(process):
                return process
            process.close()
        return None

    def _bootstrap(self) -> str:
        loader = self._sources["inplace_lsp.worker.loader"]
        return f"exec({loader!r}); start({json.dumps(self._sources)}, 'child')\n"

    def _watch(self, job: dict[str, Any], runs: list[Process]) -> None:
        """Read from the runs until all have ended, are out of time, or nobody wants to know any more."""
        seconds = float(job["deadline_s"])
        with selectors.DefaultSelector() as selector:
            selector.register(self._jobs.descriptor, selectors.EVENT_READ)
            for process in runs:
                for descriptor in process.descriptors():
                    selector.register(descriptor, selectors.EVENT_READ, process)
            while running := [one for one in runs if not processes.reap(one)]:
                if self._jobs.ended or job.get("id") in self._cancelled or any(map(_is_lost, runs)):
                    return
                late = [one for one in running if time.monotonic() > one.deadline]
                if any(one.late for one in late):  # it was asked to end; of the other, time is up as well
                    _ask_to_end(running)
                    return
                _ask_to_end(late)
                if len(running) < len(runs):  # a processor is free
                    self._refill(runs)
                self._step(selector, min(one.deadline for one in running), seconds)

    def _step(self, selector: selectors.BaseSelector, deadline: float, seconds: float) -> None:
        for key, _ in selector.select(min(0.2, max(0.0, deadline - time.monotonic()))):
            if key.data is None:
                self._listen()
                if self._jobs.ended:
                    return
                continue
            key.data.read(key.fd)
            if key.fd not in key.data.descriptors():
                selector.unregister(key.fd)
            if key.data.popen is not None and len(key.data.said) == 1:  # it is ready: now its clock starts
                key.data.deadline = min(key.data.deadline, time.monotonic() + seconds)


def _look_up_ops() -> None:
    """Make the objects of torch's ops, which a dispatch mode is handed: each run would have to look them up again."""
    import torch  # noqa: PLC0415

    for name in torch._C._dispatch_get_all_op_names():
        space, _, op = name.partition("::")
        if space == "aten":
            packet, _, overload = op.partition(".")
            with contextlib.suppress(AttributeError, RuntimeError):
                getattr(getattr(torch.ops.aten, packet), overload or "default")


def _is_open(answer: dict[str, Any] | None, device: str) -> bool:
    """Whether a candidate still needs a try on this device."""
    return answer is None or (device == "cpu" and answer.get("undecided", False))


def _is_ready(descriptor: int, seconds: float) -> bool:
    """Whether something can be read there within that time."""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def _is_lost(process: Process) -> bool:
    """Whether the run has ended without a result: then the other one is of no use."""
    return processes.reap(process) and process.result.ended and not process.said


def _ask_to_end(late: list[Process]) -> None:
    for process in late:
        process.late = True
        processes.signal_group(process, signal.SIGTERM)
        process.deadline = time.monotonic() + GRACE
