"""Processes of runs: started by fork or afresh, watched, and ended with all that they have started."""

from __future__ import annotations

import contextlib
import ctypes
import json
import math
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from inplace_lsp.messages.codec import Message, read_message, write_message
from inplace_lsp.messages.job import Task
from inplace_lsp.messages.signals import Ready, SharedMemory
from inplace_lsp.worker.channel import TOKEN
from inplace_lsp.worker.wire import LineReader, parse_line, send_message

OUTPUT_LIMIT = 1 << 16
RESULT_LIMIT = 1 << 28
"""Bytes that a message of a run may have."""
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
_LIBC = ctypes.CDLL(None) if sys.platform.startswith("linux") else None


@dataclass
class CapturedOutput:
    """The first part of what the code printed; the rest is read and dropped."""

    descriptor: int
    text: bytes = b""
    dropped: int = 0
    ended: bool = False

    def read_available(self) -> None:
        """Read what is there."""
        try:
            data = os.read(self.descriptor, 1 << 16)
        except OSError:
            data = b""
        self.ended = not data
        room = OUTPUT_LIMIT - len(self.text)
        self.text += data[:room]
        self.dropped += max(0, len(data) - room)

    def shown_text(self) -> str:
        """Return the text, with a note of how much is missing."""
        text = self.text.decode(errors="replace")
        return text + f"\n... and {self.dropped} bytes more\n" if self.dropped else text


@dataclass
class Process:
    """One run. `status` is None until it has ended. Over its result descriptor came what it `said` of itself, the names
    of the `shared` memory that it has made, and other `lines`: tracebacks, and what its code has written there.

    `job` is where a forked one waits for what it is to do, `token` marks what it says itself. `late`: it was asked to
    end because its time was over. `starting`: the seconds that one that was started afresh took until it was ready;
    `waited`: those that it waited for a processor until then; `kept_waiting`: those since, as far as it was looked at.
    """

    pid: int
    result: LineReader
    output: CapturedOutput
    job: int | None = None
    token: str = ""
    deadline: float = math.inf
    patience: float = 0.0
    kept_waiting: float = 0.0
    begun: float = field(default_factory=time.time)
    starting: float = 0.0
    waited: float = 0.0
    said: list[Message] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    lines: deque[bytes] = field(default_factory=partial(deque, maxlen=1000))
    status: int | None = None
    late: bool = False
    popen: subprocess.Popen[bytes] | None = None

    def begin_task(self, task: Task) -> None:
        """Send a forked process its task; its clock starts."""
        assert self.job is not None
        self.token, seconds = task.token, task.job.seconds
        with contextlib.suppress(BrokenPipeError):  # it has ended, which the watch over it will find
            send_message(self.job, task)
        os.close(self.job)
        self.job = None
        self.deadline = time.monotonic() + seconds
        self.patience = PATIENCE * seconds

    def start_clock(self, seconds: float) -> None:
        """Give a process that was started afresh, and is ready now, so many seconds."""
        self.starting, self.waited = time.time() - self.begun, measure_waiting(self.pid)
        self.deadline, self.patience = time.monotonic() + seconds, PATIENCE * seconds

    def extend_time(self, seconds: float) -> None:
        """Give it more seconds."""
        self.deadline += seconds
        self.patience += PATIENCE * seconds

    def work_before_ready(self) -> float:
        """Return the processor seconds that a process took to start afresh; 0 for a forked one."""
        return sum(message.worked for message in self.said if isinstance(message, Ready))

    def end_of_time(self) -> float:
        """Return when its time is over. Time it spent waiting for a processor does not count."""
        if not self.patience:
            return self.deadline
        self.kept_waiting = max(self.kept_waiting, measure_waiting(self.pid) - self.waited)
        return self.deadline + min(self.patience, self.kept_waiting)

    def open_descriptors(self) -> list[int]:
        """Return the descriptors on which something may still come."""
        return [stream.descriptor for stream in (self.result, self.output) if not stream.ended]

    def read_descriptor(self, descriptor: int) -> None:
        """Read what has come on one of its descriptors."""
        if descriptor == self.output.descriptor:
            self.output.read_available()
        else:
            for line in self.result.read_lines():
                self._take_line(line)

    def _take_line(self, line: bytes) -> None:
        """Take a line: a message of the run itself, or whatever its code wrote to the same descriptor."""
        data = parse_line(line)
        message = read_message(data) if data is not None and data.pop(TOKEN, None) == self.token else None
        if message is None:
            self.lines.append(line[:1000])
        elif isinstance(message, SharedMemory):
            self.shared.append(message.name)
        else:
            self.said.append(message)

    def drain_pipes(self) -> None:
        """Read what is left in the pipes of a run that has ended."""
        with selectors.DefaultSelector() as selector:
            for descriptor in self.open_descriptors():
                selector.register(descriptor, selectors.EVENT_READ)
            while ready := selector.select(0) if selector.get_map() else []:
                for key, _ in ready:
                    self.read_descriptor(key.fd)
                    if key.fd not in self.open_descriptors():
                        selector.unregister(key.fd)

    def close_descriptors(self) -> None:
        """Close the worker's descriptors of the process."""
        for descriptor in self.all_descriptors():
            os.close(descriptor)

    def all_descriptors(self) -> list[int]:
        """Return all descriptors that the worker holds of the process."""
        return [self.result.descriptor, self.output.descriptor, *([] if self.job is None else [self.job])]


PATIENCE = 30
"""Maximum time that a run may wait for a processor, in multiples of its own time: it has the lowest priority on a busy
machine."""


def measure_waiting(pid: int) -> float:
    """Return the seconds that a process was ready to run while no processor was free; 0 where the system does not tell
    (all but Linux)."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def adopt_orphans() -> None:
    """Make processes that lose their parent ours (Linux), so that none that a run has started can get away."""
    _prctl(_SUBREAPER, 1)


def die_with_parent() -> None:
    """Let this process be killed when its parent ends (Linux)."""
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    if _LIBC is not None:
        with contextlib.suppress(OSError, AttributeError):
            _LIBC.prctl(option, value, 0, 0, 0)


def fork_process(work: Callable[[int, int], None], others: Iterable[Process], private: Iterable[int]) -> Process:
    """Run `work(job descriptor, result descriptor)` in a child of this process. It must not have the descriptors of
    `others` nor the `private` ones."""
    job_end, job = os.pipe()
    result, result_end = os.pipe()
    output, output_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            for descriptor in (
                *private,
                *(end for other in others for end in other.all_descriptors()),
                job,
                result,
                output,
            ):
                os.close(descriptor)
            os.dup2(output_end, 1)
            os.dup2(output_end, 2)
            os.close(output_end)
            work(job_end, result_end)
        finally:
            os._exit(1)
    for descriptor in (job_end, result_end, output_end):
        os.close(descriptor)
    return Process(pid, LineReader(result, RESULT_LIMIT), CapturedOutput(output), job)


def spawn_process(bootstrap: str, task: Task, seconds: float) -> Process:
    """Run `task` in a fresh interpreter, which is sent the worker's sources first."""
    command = [sys.executable, "-c", "exec(__import__('sys').stdin.readline())"]
    pipe = subprocess.PIPE
    popen = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, env={**os.environ, "PYTHONHASHSEED": "0"}
    )
    assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
    with contextlib.suppress(BrokenPipeError):
        popen.stdin.write(bootstrap.encode() + json.dumps(write_message(task)).encode() + b"\n")
        popen.stdin.close()
    result, output = os.dup(popen.stdout.fileno()), os.dup(popen.stderr.fileno())
    popen.stdout.close()
    popen.stderr.close()
    return Process(
        popen.pid,
        LineReader(result, RESULT_LIMIT),
        CapturedOutput(output),
        None,
        task.token,
        time.monotonic() + seconds,
        popen=popen,
    )


def signal_group(process: Process, number: int) -> None:
    """Send a signal to the run and to what shares its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def has_ended(process: Process) -> bool:
    """Return whether the process has ended, after reaping it."""
    if process.status is None:
        try:
            pid, status = os.waitpid(process.pid, os.WNOHANG)
        except ChildProcessError:
            pid, status = process.pid, 0
        if pid:
            process.status = status
            if process.popen is not None:
                process.popen.returncode = os.waitstatus_to_exitcode(status)
    return process.status is not None


def end_family(process: Process) -> None:
    """Kill the run and everything it has left behind, and wait for it."""
    signal_group(process, signal.SIGKILL)
    if process.status is None:
        with contextlib.suppress(ChildProcessError):
            process.status = os.waitpid(process.pid, 0)[1]


def end_orphans(running: set[int]) -> None:
    """Kill the children of this process that are not `running` runs, and theirs in turn: a run has left them behind."""
    for _ in range(100):
        strangers = [pid for pid in _child_pids() if pid not in running]
        if not strangers:
            return
        for pid in strangers:  # all of them first: they die side by side
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in strangers:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _child_pids() -> Iterator[int]:
    """Yield the children of this process (Linux; elsewhere orphans are not adopted)."""
    if not sys.platform.startswith("linux"):
        return
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError), open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
            yield from map(int, file.read().split())
