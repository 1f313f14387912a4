"""The worker: take jobs from the host over standard input, run each in a process of its own, and answer.

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
from dataclasses import replace
from functools import partial

from inplace_lsp.messages.answers import Answer, RunReport, Trial
from inplace_lsp.messages.codec import read_message
from inplace_lsp.messages.environment import forget_rest
from inplace_lsp.messages.job import Job, Mode, Op, Task
from inplace_lsp.messages.signals import Cancel, Hello, Warm, Warming
from inplace_lsp.tape.errors_of_torch import MESSAGES
from inplace_lsp.tape.plain import Plain
from inplace_lsp.worker import child, cleanup, kernel, limits, processes
from inplace_lsp.worker.outcomes import describe_outcome, trials_of
from inplace_lsp.worker.processes import Process
from inplace_lsp.worker.safe_text import describe_error
from inplace_lsp.worker.wire import LineReader, parse_line, send_message

GRACE = 0.5
"""Seconds between the request to end and the end of a run that takes too long."""
MORE = 2
"""So many times its own seconds a recorded run of one call gets besides, once the plain one has ended with a hazard's
error."""
START = 60.0
"""Seconds that a fresh interpreter may take to load torch."""
SPARES = 2
"""Number of processes that wait for the next job, one for each of its runs."""
IDLE = 0.5
"""So long nothing must be asked for before the worker does something on its own account."""
LOOK = 0.5
"""Seconds between two looks at whether the host is still there, while the worker loads what takes long."""
WATCH, EXIT = 0.2, 0.01
"""Seconds between two looks at whether a run has ended: one that runs, and one that can say no more and has only to
exit."""
SLOW = "optim"
"""Programs that mention this mostly load `torch._dynamo`, which takes longer than most runs."""
NOT_TRIED = "not tried"
TORCH = (2, 1)


def main(sources: dict[str, str]) -> None:
    """Say hello and serve until the host hangs up."""
    forget_rest(os.environ)
    os.environ["TORCHDYNAMO_DISABLE"] = "1"  # what torch.compile wraps is run as it is written
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # two runs side by side: threads that spin would slow the other
    jobs, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt in the host's terminal is the host's to handle
    signal.signal(signal.SIGTERM, _exit_on_signal)
    with _exit_with_host(jobs):
        hello = _build_hello()
    send_message(answers, hello)
    if not hello.error:
        processes.adopt_orphans()
        left = cleanup.sweep_stale_folders()
        gc.freeze()  # what is there now stays: a child that collects garbage would copy all of it
        Server(jobs, answers, sources, fork=hello.fork, left=left).serve()
    os._exit(0)  # nothing is left to tidy up, and to take torch apart takes long


def _exit_on_signal(_number: int, _frame: object) -> None:
    """Exit as after the last job: end all processes and leave nothing on the disk."""
    raise SystemExit


@contextlib.contextmanager
def _exit_with_host(jobs: int) -> Iterator[None]:
    """Check now and then, while something takes long, whether the host has gone, and exit with it."""
    poll = select.poll() if hasattr(select, "poll") else None
    if poll is None:
        yield
        return
    poll.register(jobs, 0)  # a hang-up is reported without being asked for

    def exit_if_orphaned(_number: int, _frame: object) -> None:
        if poll.poll(0):
            os._exit(0)  # the waiting processes die with this one

    before = signal.signal(signal.SIGALRM, exit_if_orphaned)
    signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _build_hello() -> Hello:
    hello = Hello(sys.version.split()[0], sys.executable, fork=hasattr(os, "fork") and sys.platform != "darwin")
    try:
        import torch  # noqa: PLC0415  (may be missing, which is said)
    except Exception as problem:
        install = f"it has no torch; install it, `{sys.executable} -m pip install torch`, or choose another interpreter"
        what = install if isinstance(problem, ModuleNotFoundError) else f"torch cannot be imported: {problem}"
        return replace(hello, error=what)
    version = str(torch.__version__)
    if tuple(int(part) for part in version.split(".")[:2]) < TORCH:
        return replace(hello, torch=version, error=f"its torch is {version}; verify needs 2.1 or newer")
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")  # asks without starting CUDA: no fork survives that
    devices: tuple[str, ...] = ()
    with contextlib.suppress(Exception):
        devices = tuple(f"cuda:{at}" for at in range(torch.cuda.device_count()))
    from inplace_lsp.worker import probe, run, writers  # noqa: F401, PLC0415  (loaded once for all runs)

    writers.wrap_writers()
    return replace(hello, torch=version, cuda=devices)


class Server:
    """One host, one job at a time; a job's runs go side by side. `left`: folders that could not be removed."""

    def __init__(
        self, jobs: int, answers: int, sources: dict[str, str], *, fork: bool, left: tuple[str, ...] = ()
    ) -> None:
        self._left = left
        self._waited = 0.0
        self._jobs = LineReader(jobs)
        self._answers = answers
        self._sources = sources
        self._fork = fork
        self._warm = False
        self._served = False
        self._waiting: deque[dict[str, Plain]] = deque()
        self._cancelled: set[int | None] = set()
        self._spares: list[Process] = []
        self._starting = self._starting_work = 0.0
        """The seconds, by the clock and of the processor, that fresh processes of this job took to load torch."""

    def serve(self) -> None:
        """Answer jobs until the host hangs up."""
        try:
            self._serve_jobs()
        finally:
            for spare in self._spares:
                processes.end_family(spare)

    def _serve_jobs(self) -> None:
        while True:
            while not self._waiting:
                if self._jobs.ended:
                    return
                if not self._warm and not _is_ready(self._jobs.descriptor, IDLE):
                    self._warm_up()
                self._refill_spares([])
                self._read_messages()
            if self._served and not self._warm:  # not before: a host that has but one job need not wait for the end
                self._warm_up()
                self._refill_spares([])
            answer = self._answer_message(self._waiting.popleft())
            if self._jobs.ended:
                return
            send_message(self._answers, answer)
            self._served = True

    def _warm_up(self) -> None:
        """Load what many runs would have to load each for itself: when idle, or once there is more than one job. The
        host hears of it, so that its clock stops meanwhile."""
        if not self._warm and self._fork:
            send_message(self._answers, Warming())
            with contextlib.suppress(Exception), _exit_with_host(self._jobs.descriptor):
                import torch._dynamo  # noqa: PLC0415  (optimizers load it at their first use)

                nothing = torch.empty(1, 1, device="meta")
                nothing @ nothing  # what meta tensors load; no thread of torch's is started by ops without data
                _look_up_ops()
            gc.freeze()
            send_message(self._answers, Warm())
        self._warm = True

    def _refill_spares(self, runs: list[Process]) -> None:
        """Fork processes for the next job. `runs` are those that are busy."""
        while self._warm and self._fork and len(self._spares) < SPARES:
            self._spares.append(self._fork_process(runs, rehearse=True))

    def _fork_process(self, runs: list[Process], *, rehearse: bool) -> Process:
        private = (self._jobs.descriptor, self._answers)
        work = partial(child.await_job, rehearse=rehearse, separate=kernel.offers_namespace())
        return processes.fork_process(work, [*runs, *self._spares], private)

    def _read_messages(self) -> None:
        for line in self._jobs.read_lines():
            data = parse_line(line)
            if data is None:
                continue
            if data.get("op") == "cancel":
                cancel = read_message(data)
                self._cancelled.update([cancel.id] if isinstance(cancel, Cancel) else [])
            else:
                self._waiting.append(data)

    def _answer_message(self, data: dict[str, Plain]) -> Answer:
        number = data.get("id")
        identity = number if isinstance(number, int) else None
        self._starting = self._starting_work = 0.0
        started, worked = time.monotonic(), limits.measure_children()
        self._waited = -processes.measure_waiting(os.getpid())
        folder = tempfile.mkdtemp(prefix=cleanup.FOLDER)
        try:
            job = read_message(data)
            if not isinstance(job, Job):
                raise TypeError(f"{data['op']} is no job")
            if job.op is Op.PROBE or SLOW in job.text:
                self._warm_up()
                started, worked = time.monotonic(), limits.measure_children()
            answer = self._probe_candidates(job, folder) if job.op is Op.PROBE else self._verify_inputs(job, folder)
        except Exception as problem:
            return Answer(identity, failed=f"the worker could not run it: {describe_error(problem)}")
        finally:
            self._left += cleanup.remove_folder(folder)
        seconds = max(0.0, time.monotonic() - started - self._starting)
        worked = max(0.0, limits.measure_children() - worked - self._starting_work)
        answer = replace(answer, waited=round(self._waited + processes.measure_waiting(os.getpid()), 3))
        return replace(answer, id=identity, seconds=round(seconds, 3), worked=round(worked, 3), left=self._left)

    def _verify_inputs(self, job: Job, folder: str) -> Answer:
        found = self._run_modes(job, [Mode.PLAIN, Mode.RECORDED], folder)
        return Answer(plain=found[0][0], recorded=found[1][0]) if found else Answer(cancelled=True)

    def _probe_candidates(self, job: Job, folder: str) -> Answer:
        """Answer for each candidate. What the meta device cannot decide is run on the CPU. After a fault (a candidate
        takes too long, or ends its process) no others are tried: they would most likely do the same."""
        trials: dict[int, Trial] = {}
        for device in ("cpu",) if job.device == "cpu" else ("meta", "cpu"):
            left = [at for at in range(len(job.candidates)) if _is_open(trials.get(at), device)]
            if not left:
                break
            part = replace(job, device=device, candidates=tuple(job.candidates[at] for at in left))
            outcomes = self._run_modes(part, [Mode.PROBE], folder)
            if not outcomes:
                return Answer(cancelled=True)
            report, found = outcomes[0]
            trials.update({left[trial.candidate]: trial for trial in found})
            if len(found) < len(left) and not any(trial.fault for trial in found):
                trials[left[len(found)]] = Trial(len(found), False, report.failed, fault=True)
            if any(trial.fault for trial in trials.values()):
                break
        return Answer(trials=tuple(trials.get(at, Trial(at, False, NOT_TRIED)) for at in range(len(job.candidates))))

    def _run_modes(self, job: Job, modes: list[Mode], folder: str) -> list[tuple[RunReport, list[Trial]]]:
        """Run the job in every mode, each in a folder inside of `folder`; return what came of each, nothing if the job
        was cancelled."""
        runs: list[Process] = []
        lost: Process | None = None
        try:
            for mode in modes:
                own = tempfile.mkdtemp(prefix=f"{mode.value}-", dir=folder)  # or one would see the other's files
                task = Task(job, mode, own, secrets.token_hex(8))
                runs.append(self._start_process(task, runs))
            self._watch_processes(job, runs)
            lost = next(filter(_is_lost, runs), None)
            self._waited += max(process.kept_waiting for process in runs)
        finally:
            for process in runs:
                processes.end_family(process)
            processes.end_orphans({spare.pid for spare in self._spares})
            for process in runs:
                process.drain_pipes()
                process.close_descriptors()
                cleanup.forget_shared_memory(process)
            self._starting += max((process.starting for process in runs), default=0.0)
            self._starting_work += sum(process.work_before_ready() for process in runs)
        if job.id in self._cancelled:
            return []
        return [(describe_outcome(process, job, lost or process), trials_of(process)) for process in runs]

    def _start_process(self, task: Task, others: list[Process]) -> Process:
        if self._fork and not task.job.on_cuda:
            process = self._take_spare() or self._fork_process(others, rehearse=False)
            process.begin_task(task)
            return process
        task = replace(task, separate=kernel.offers_namespace())
        return processes.spawn_process(self._bootstrap_code(), task, task.job.seconds + START)

    def _take_spare(self) -> Process | None:
        """Return a waiting process that is still alive, if there is one."""
        while self._spares:
            process = self._spares.pop()
            if not processes.has_ended(process):
                return process
            process.close_descriptors()
        return None

    def _bootstrap_code(self) -> str:
        path, loader = (self._sources[f"inplace_lsp.worker.{name}"] for name in ("module_path", "loader"))
        run = f"exec({path!r}); path = leave_out_current_folder(); exec({loader!r})"
        return f"{run}; start({json.dumps(self._sources)}, 'child', path)\n"

    def _watch_processes(self, job: Job, runs: list[Process]) -> None:
        """Read from the runs until all have ended, are out of time, or the job is cancelled."""
        seconds, extended = job.deadline_s, job.inputs.driver is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._jobs.descriptor, selectors.EVENT_READ)
            for process in runs:
                for descriptor in process.open_descriptors():
                    selector.register(descriptor, selectors.EVENT_READ, process)
            while running := [process for process in runs if not processes.has_ended(process)]:
                if self._jobs.ended or job.id in self._cancelled or any(map(_is_lost, runs)):
                    return
                late = [process for process in running if time.monotonic() > process.end_of_time()]
                if any(process.late for process in late):  # it was asked to end; of the other, time is up as well
                    _ask_to_end(running)
                    return
                _ask_to_end(late)
                if not extended and _has_met_hazard(runs):
                    extended = True
                    for process in running:
                        process.extend_time(seconds * MORE)
                if len(running) < len(runs):  # a processor is free
                    self._refill_spares(runs)
                look = WATCH if all(process.open_descriptors() for process in running) else EXIT
                end = min(process.end_of_time() for process in running)
                self._read_ready(selector, min(look, max(0.0, end - time.monotonic())), seconds)

    def _read_ready(self, selector: selectors.BaseSelector, wait: float, seconds: float) -> None:
        for key, _ in selector.select(wait):
            if key.data is None:
                self._read_messages()
                if self._jobs.ended:
                    return
                continue
            key.data.read_descriptor(key.fd)
            if key.fd not in key.data.open_descriptors():
                selector.unregister(key.fd)
            if key.data.popen is not None and len(key.data.said) == 1:  # it is ready: now its clock starts
                key.data.start_clock(seconds)


def _look_up_ops() -> None:
    """Create the objects of torch's ops that a dispatch mode receives; each run would have to create them again."""
    import torch  # noqa: PLC0415

    for name in torch._C._dispatch_get_all_op_names():
        space, _, op = name.partition("::")
        if space == "aten":
            packet, _, overload = op.partition(".")
            with contextlib.suppress(AttributeError, RuntimeError):
                getattr(getattr(torch.ops.aten, packet), overload or "default")


def _is_open(trial: Trial | None, device: str) -> bool:
    """Return whether a candidate still needs a try on this device."""
    return trial is None or (device == "cpu" and trial.undecided)


def _is_ready(descriptor: int, seconds: float) -> bool:
    """Return whether something can be read there within that time."""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def _is_lost(process: Process) -> bool:
    """Return whether the run has ended without a result: then the other run is of no use."""
    return processes.has_ended(process) and process.result.ended and not process.said


def _has_met_hazard(runs: list[Process]) -> bool:
    """Return whether a run has ended with torch's error about a hazard: where that was written, the other one tells."""
    reports = (message for process in runs for message in process.said if isinstance(message, RunReport))
    return any(
        report.raised is not None and any(words in report.raised.error for words in MESSAGES) for report in reports
    )


def _ask_to_end(late: list[Process]) -> None:
    for process in late:
        process.late = True
        process.patience = 0.0  # what it waited for a processor has been forgiven
        processes.signal_group(process, signal.SIGTERM)
        process.deadline = time.monotonic() + GRACE
