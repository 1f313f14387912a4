"""The verify thread: it does one run after the other, beside the event loop and the analysis, with a warm worker."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from inplace_lsp.verify.client import Client
    from inplace_lsp.verify.launch import Launch

log = logging.getLogger(__name__)
Result = TypeVar("Result")
IDLE_SECONDS = 600.0
"""Seconds after which an idle worker is ended: torch takes a few hundred megabytes."""
CLOSE_SECONDS = 3.0


@dataclass(eq=False)
class VerifyRun(Generic[Result]):
    """Work for the thread. `stop` is checked before the work begins, and by the work itself."""

    work: Callable[[], Result]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Result]
    stop: threading.Event = field(default_factory=threading.Event)


class Prover:
    """Does runs in the order of their requests. The worker lives as long as it is used.

    The thread is a daemon, so that the server can end whatever user code does. The worker then loses its pipe and ends,
    too.
    """

    def __init__(self) -> None:
        self._runs: queue.Queue[VerifyRun[object] | None] = queue.Queue()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._client: Client | None = None
        self._launch: Launch | None = None

    def submit_run(self, work: Callable[[], Result], stop: threading.Event) -> asyncio.Future[Result]:
        """Do `work` after the runs before it; there is no answer once `stop` is set."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        run: VerifyRun[object] = VerifyRun(work, loop, future, stop)  # type: ignore[arg-type]  # the queue holds runs of any kind
        self._runs.put(run)
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve_runs, name="verify", daemon=True)
            self._thread.start()
        return future

    def client_for(self, launch: Launch) -> Client:
        """Return the worker that `launch` starts; end one of another interpreter. Only for the thread."""
        from inplace_lsp.verify.client import Client  # noqa: PLC0415  (not at start-up)

        if self._client is None or self._launch != launch:
            self._end_worker()
            self._client, self._launch = Client(launch), launch
        return self._client

    def shut_down(self) -> None:
        """Stop the current run, and end the worker if that is quickly done: the server ends."""
        if self._thread is not None:
            self._closed.set()
            self._runs.put(None)
            self._thread.join(CLOSE_SECONDS)

    def is_closed(self) -> bool:
        """Return whether the server is ending, which cancels runs."""
        return self._closed.is_set()

    def _serve_runs(self) -> None:
        while not self._closed.is_set():
            try:
                run = self._runs.get(timeout=IDLE_SECONDS if self._client is not None else None)
            except queue.Empty:
                self._end_worker()
                continue
            if run is not None and not run.stop.is_set():
                self._do_run(run)
        self._end_worker()

    def _do_run(self, run: VerifyRun[object]) -> None:
        try:
            result = run.work()
        except Exception as error:
            self._settle_future(run, run.future.set_exception, error)
        else:
            self._settle_future(run, run.future.set_result, result)

    def _settle_future(self, run: VerifyRun[object], settle: Callable[..., None], value: object) -> None:
        def on_loop() -> None:
            if not run.future.done():
                settle(value)

        try:
            run.loop.call_soon_threadsafe(on_loop)
        except RuntimeError:  # the loop is closed: the server is going down
            log.debug("a verdict came after the end")

    def _end_worker(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = self._launch = None
