"""The analysis thread: it analyses one text after the other, off the event loop, and only the newest of each program.

Why one thread: the analysis is pure Python, so several threads would only take the interpreter lock from each other and
from the event loop; another process would have to pickle the tapes of every answer, and would start later. A job whose
text is outdated stops at its next `checkpoint()`, and its result is dropped.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from inplace_lsp.cancellation import Abandoned, abandon_when

log = logging.getLogger(__name__)
Result = TypeVar("Result")

SWITCH_SECONDS = 0.001
"""Maximum seconds that an analysis keeps the interpreter lock while a request waits (Python's default: 5 ms)."""

STACK_BYTES = 64 * 2**20
"""Stack size of the thread: the parser recurses into nested code, and some systems give a thread only 0.5 MB."""


@dataclass(eq=False)
class BackgroundJob(Generic[Result]):
    """Work for the thread and the future of its result; the future is cancelled when the job is abandoned."""

    work: Callable[[], Result]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Result]
    abandoned: threading.Event = field(default_factory=threading.Event)

    def abandon_job(self) -> None:
        """Stop it if it runs, drop it if it waits. Called on the event loop."""
        self.abandoned.set()
        self.future.cancel()


class Background:
    """Runs jobs in its own thread, the newest first."""

    def __init__(self) -> None:
        self._waiting: dict[str, BackgroundJob[object]] = {}
        self._running: dict[str, BackgroundJob[object]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def submit_job(self, key: str, work: Callable[[], Result]) -> asyncio.Future[Result]:
        """Start `work` as soon as possible; an older job of the same `key` is abandoned."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        job: BackgroundJob[object] = BackgroundJob(work, loop, future)  # type: ignore[arg-type]  # it holds jobs of any kind
        with self._changed:
            self._abandon_locked(key)
            self._waiting[key] = job
            self._changed.notify()
        if self._thread is None:
            self._thread = self._start_thread()
        return future

    def _start_thread(self) -> threading.Thread:
        sys.setswitchinterval(SWITCH_SECONDS)
        usual = threading.stack_size(STACK_BYTES)
        thread = threading.Thread(target=self._run_jobs, name="analysis", daemon=True)
        thread.start()
        threading.stack_size(usual)
        return thread

    def abandon_job(self, key: str) -> None:
        """Abandon the job of `key`, if there is one."""
        with self._changed:
            self._abandon_locked(key)

    def abandon_all(self, beginning: str) -> None:
        """Abandon all jobs whose keys start with `beginning`."""
        with self._changed:
            for key in [*self._waiting, *self._running]:
                if key.startswith(beginning):
                    self._abandon_locked(key)

    def _abandon_locked(self, key: str) -> None:
        for job in (self._waiting.pop(key, None), self._running.get(key)):
            if job is not None:
                job.abandon_job()

    def _run_jobs(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
                key, job = self._waiting.popitem()
                self._running = {key: job}
            self._run_job(job)
            with self._changed:
                self._running = {}

    def _run_job(self, job: BackgroundJob[object]) -> None:
        try:
            with abandon_when(job.abandoned.is_set):
                result = job.work()
        except Abandoned:
            return
        except Exception as error:  # a crash costs one answer, not the server
            log.exception("the analysis failed")
            self._settle_future(job, job.future.set_exception, error)
        else:
            self._settle_future(job, job.future.set_result, result)

    def _settle_future(self, job: BackgroundJob[object], settle: Callable[..., None], value: object) -> None:
        def on_loop() -> None:
            if not job.future.done():
                settle(value)

        try:
            job.loop.call_soon_threadsafe(on_loop)
        except RuntimeError:  # the loop is closed: the server is going down
            log.debug("a result came after the end")
