"""The client of a worker: one job, one answer, whatever becomes of the worker."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from dataclasses import replace

from inplace_lsp.messages.answers import Answer
from inplace_lsp.messages.codec import read_message
from inplace_lsp.messages.job import Job
from inplace_lsp.messages.signals import Cancel, Hello, Warm, Warming
from inplace_lsp.verify.launch import TICK, Cancelled, Launch, never_cancelled, start_worker
from inplace_lsp.verify.pipe import Pipe, StoppedError

GRACE = 10.0
"""Seconds past the deadline that the worker may take to end a run and say so, on a machine with much else to do."""
_WAITING = 32.0
"""Maximum duration of a run, in deadlines, where others keep it from the processors."""
_FRESH = 60.0
"""Seconds more where a run starts an interpreter and loads torch."""
_WARMING = 120.0
"""Seconds that the worker may take to load what many runs need; no job's clock runs meanwhile."""


class Client:
    """Starts its worker when it is first needed, and again after it was lost. Jobs of several threads queue up."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._turn = threading.Lock()
        self._numbers = itertools.count(1)
        self._pipe: Pipe | None = None
        self._hello: Hello | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def hello(self, cancelled: Cancelled = never_cancelled) -> Hello:
        """Return the worker's description of itself. Raises LaunchError."""
        with self._turn:
            self._connect_worker(cancelled)
            assert self._hello is not None
            return self._hello

    def run(self, job: Job, cancelled: Cancelled = never_cancelled) -> Answer:
        """Return the worker's answer to `job`; if there is none, one that says why it failed. Raises LaunchError."""
        with self._turn:
            pipe = self._connect_worker(cancelled)
            number = next(self._numbers)
            pipe.send_message(replace(job, id=number))
            seconds = self._seconds_to_wait(job)
            try:
                return self._wait_for_answer(pipe, number, seconds, cancelled)
            except StoppedError as error:
                pipe.kill()
                self._drop_worker()
                return Answer(failed=f"the worker {error}")
            except TimeoutError:
                pipe.kill()
                self._drop_worker()
                return Answer(failed=f"the worker did not answer within {seconds:g} s and was ended")
            except EOFError:
                words = pipe.last_words()
                self._drop_worker()
                return Answer(failed=f"the worker ended: {words}")

    def close(self) -> None:
        """End the worker."""
        with self._turn:
            self._drop_worker()

    def _connect_worker(self, cancelled: Cancelled) -> Pipe:
        if self._pipe is not None and self._pipe.has_ended():
            self._drop_worker()
        if self._pipe is None:
            self._pipe, self._hello = start_worker(self._launch, cancelled=cancelled)
        return self._pipe

    def _seconds_to_wait(self, job: Job) -> float:
        fresh = job.on_cuda or not (self._hello and self._hello.fork)
        return job.seconds * _WAITING + GRACE + (_FRESH if fresh else 0)

    def _wait_for_answer(self, pipe: Pipe, number: int, seconds: float, cancelled: Cancelled) -> Answer:
        end = time.monotonic() + seconds
        told = False
        while True:
            if not told and cancelled():
                pipe.send_message(Cancel(number))
                told = True
            try:
                message = read_message(pipe.receive_object(TICK))
            except TimeoutError:
                if time.monotonic() > end:
                    raise
                continue
            if isinstance(message, Answer) and message.id == number:
                return message
            if isinstance(message, Warming | Warm):
                end = time.monotonic() + (_WARMING if isinstance(message, Warming) else seconds)

    def _drop_worker(self) -> None:
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.close()
        self._pipe = self._hello = None
