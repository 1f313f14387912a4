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
from typing import Any

from inplace_lsp.worker.channel import SHARED, TOKEN
from inplace_lsp.worker.wire import Lines, parsed, send

OUTPUT_LIMIT = 1 << 16
RESULT_LIMIT = 1 << 28
"""Bytes that a message of a run may have."""
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
_LIBC = ctypes.CDLL(None) if sys.platform.startswith("linux") else None


@dataclass
class Output:
    """What the code has printed, the first part of it; the rest is read and dropped."""

    descriptor: int
    text: bytes = b""
    dropped: int = 0
    ended: bool = False

    def read(self) -> None:
        """Take what is there."""
        try:
            data = os.read(self.descriptor, 1 << 16)
        except OSError:
            data = b""
        self.ended = not data
        room = OUTPUT_LIMIT - len(self.text)
        self.text += data[:room]
        self.dropped += max(0, len(data) - room)

    def shown(self) -> str:
        """The text, with a word about what is missing."""
        text = self.text.decode(errors="replace")
        return text + f"\n... and {self.dropped} bytes more\n" if self.dropped else text


@dataclass
class Process:
    """One run. `status` is None until it has ended. Over its result descriptor came what it `said` of itself, the names
    of the `shared` memory that it has made, and other `lines`: tracebacks, and what its code has written there.

    `job` is where a forked one waits for what it is to do, `token` marks what it says itself. `late`: it was asked to
    end because its time was over.
    """

    pid: int
    result: Lines
    output: Output
    job: int | None = None
    token: str = ""
    deadline: float = math.inf
    begun: float = field(default_factory=time.time)
    said: list[dict[str, Any]] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    lines: deque[bytes] = field(default_factory=partial(deque, maxlen=1000))
    status: int | None = None
    late: bool = False
    popen: Any = None

    def begin(self, job: dict[str, Any], seconds: float) -> None:
        """Tell a forked one what to do; its clock starts."""
        assert self.job is not None
        self.token = job[TOKEN]
        with contextlib.suppress(BrokenPipeError):  # it has ended, which the watch over it will find
            send(self.job, job)
        os.close(self.job)
        self.job = None
        self.deadline = time.monotonic() + seconds

    def descriptors(self) -> list[int]:
        """Those on which something may still come."""
        return [one.descriptor for one in (self.result, self.output) if not one.ended]

    def read(self, descriptor: int) -> None:
        """Take what has come on one of them."""
        if descriptor == self.output.descriptor:
            self.output.read()
        else:
            for line in self.result.read():
                self._hear(line)

    def _hear(self, line: bytes) -> None:
        """Take a line: a message of the run itself, or whatever its code has written to the same descriptor."""
        message = parsed(line)
        if message is None or message.pop(TOKEN, None) != self.token:
            self.lines.append(line[:1000])
        elif SHARED in message:
            self.shared.append(message[SHARED])
        else:
            self.said.append(message)

    def drain(self) -> None:
        """Take what is still in the pipes of a run that has ended."""
        with selectors.DefaultSelector() as selector:
            for descriptor in self.descriptors():
                selector.register(descriptor, selectors.EVENT_READ)
            while ready := selector.select(0) if selector.get_map() else []:
                for key, _ in ready:
                    self.read(key.fd)
                    if key.fd not in self.descriptors():
                        selector.unregister(key.fd)

    def close(self) -> None:
        """Give the descriptors back."""
        for one in self.ends():
            os.close(one)

    def ends(self) -> list[int]:
        """All descriptors that the worker has of it."""
        return [self.result.descriptor, self.output.descriptor, *([] if self.job is None else [self.job])]


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


def fork(work: Callable[[int, int], None], others: Iterable[Process], private: Iterable[int]) -> Process:
    """Run `work(job descriptor, result descriptor)` in a child of this process. It must not have the descriptors of
    `others` nor the `private` ones."""
    job_end, job = os.pipe()
    result, result_end = os.pipe()
    output, output_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            for descriptor in (*private, *(end for one in others for end in one.ends()), job, result, output):
                os.close(descriptor)
            os.dup2(output_end, 1)
            os.dup2(output_end, 2)
            os.close(output_end)
            work(job_end, result_end)
        finally:
            os._exit(1)
    for descriptor in (job_end, result_end, output_end):
        os.close(descriptor)
    return Process(pid, Lines(result, RESULT_LIMIT), Output(output), job)


def spawn(bootstrap: str, job: dict[str, Any], seconds: float) -> Process:
    """Run `job` in a fresh interpreter, which is sent the worker's sources first."""
    command = [sys.executable, "-c", "exec(__import__('sys').stdin.readline())"]
    pipe = subprocess.PIPE
    popen = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, env={**os.environ, "PYTHONHASHSEED": "0"}
    )
    assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
    with contextlib.suppress(BrokenPipeError):
        popen.stdin.write(bootstrap.encode() + json.dumps(job).encode() + b"\n")
        popen.stdin.close()
    result, output = os.dup(popen.stdout.fileno()), os.dup(popen.stderr.fileno())
    popen.stdout.close()
    popen.stderr.close()
    return Process(
        popen.pid,
        Lines(result, RESULT_LIMIT),
        Output(output),
        None,
        job[TOKEN],
        time.monotonic() + seconds,
        popen=popen,
    )


def signal_group(process: Process, number: int) -> None:
    """Send a signal to the run and to what shares its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def reap(process: Process) -> bool:
    """Whether the run has ended."""
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
    """Kill the children of this process that are none of the runs, and theirs in turn: a run has left them behind."""
    for _ in range(100):
        strangers = [pid for pid in _children() if pid not in running]
        if not strangers:
            return
        for pid in strangers:  # all of them first: they die side by side
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in strangers:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children() -> Iterator[int]:
    """The children of this process (Linux; elsewhere orphans are not adopted)."""
    if not sys.platform.startswith("linux"):
        return
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError), open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
            yield from map(int, file.read().split())
