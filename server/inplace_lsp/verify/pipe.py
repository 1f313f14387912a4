"""A process that is talked to in lines of JSON, from any thread, with a time limit on every answer."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence

from inplace_lsp.messages.codec import Message, write_message
from inplace_lsp.tape.plain import Plain

_END = None
_STOPPED = ("T", "t")
"""States of a process in `/proc/PID/stat`."""
_LOOKS = 10
"""Maximum number of looks in a row that may find the process stopped."""


class StoppedError(Exception):
    """The process is stopped and will not answer."""

    def __str__(self) -> str:
        return "was stopped, by a signal or a debugger, and was ended"


class Pipe:
    """Its process runs in a session of its own, so that it can be ended with all that it has started."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(environment), start_new_session=True
        )
        self._messages: queue.Queue[dict[str, Plain] | None] = queue.Queue()
        self._unsent: queue.Queue[str | None] = queue.Queue()
        self._errors: deque[str] = deque(maxlen=20)
        self._looks_stopped = 0
        self._threads = [
            threading.Thread(target=work, daemon=True, name=f"worker {work.__name__}")
            for work in (self._read_messages, self._read_errors, self._write_all)
        ]
        for thread in self._threads:
            thread.start()

    def write_text(self, text: str) -> None:
        """Send text as it is, without waiting for a process that does not read.

        One that has ended is noticed when its answer is waited for.
        """
        self._unsent.put(text)

    def send_message(self, message: Message) -> None:
        """Send one message."""
        self.write_text(json.dumps(write_message(message)) + "\n")

    def receive_object(self, seconds: float) -> dict[str, Plain]:
        """Return the next message as plain data. Raises TimeoutError, EOFError when the process has hung up, or
        StoppedError when it was found stopped after each of several waits."""
        try:
            message = self._messages.get(timeout=seconds)
        except queue.Empty:
            self._looks_stopped = self._looks_stopped + 1 if self._is_stopped() else 0
            raise (StoppedError if self._looks_stopped > _LOOKS else TimeoutError) from None
        if message is _END:
            self._messages.put(_END)
            raise EOFError
        return message

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        return self._process.poll() is not None

    def last_words(self) -> str:
        """Return the end of the process's standard error, or its exit status if that is all."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._threads[1].join(1)
        return self._errors[-1] if self._errors else f"exit status {self._process.poll()}"

    def close(self) -> None:
        """End the process and all that it has started, and give everything back."""
        self._unsent.put(_END)
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self.kill()
        for thread in self._threads:
            thread.join(1)

    def kill(self) -> None:
        """End the process, with all that shares its session. It gets a moment to remove what it has on the disk."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()

    def _is_stopped(self) -> bool:
        """Return whether the process is stopped, by a signal or by a process that traces it (Linux)."""
        try:
            with open(f"/proc/{self._process.pid}/stat", encoding="utf-8", errors="replace") as file:
                return file.read().rpartition(")")[2].split()[0] in _STOPPED
        except (OSError, IndexError):
            return False

    def _write_all(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        with contextlib.suppress(OSError, ValueError), stream:
            while (text := self._unsent.get()) is not _END:
                stream.write(text.encode())
                stream.flush()

    def _read_messages(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            for line in stream:
                with contextlib.suppress(ValueError):  # a login shell's greeting
                    message = json.loads(line)
                    if isinstance(message, dict):
                        self._messages.put(message)
        self._messages.put(_END)

    def _read_errors(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        with stream:
            for line in stream:
                if text := line.decode(errors="replace").strip():
                    self._errors.append(text)
