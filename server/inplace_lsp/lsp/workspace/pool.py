"""The checking processes: started when there is work, one job each at a time, replaced when they die."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
from asyncio.subprocess import Process
from collections.abc import Coroutine
from typing import TYPE_CHECKING, TypeVar, overload

from inplace_lsp.lsp.workspace.children import kill_child, start_child
from inplace_lsp.lsp.workspace.jobs import HEADER, Check, Files, Find, Report, Search, pack_message

if TYPE_CHECKING:
    from inplace_lsp.why.gather import FileClues

log = logging.getLogger(__name__)
Answer = TypeVar("Answer")
CHILD = "inplace_lsp.lsp.workspace"
MOST = 4
PATIENCE_SECONDS = 60.0
"""Maximum seconds for a single file, or for the walk over all folders."""


class LostError(Exception):
    """The process died, or did not answer in time; the message says which."""


class ProcessPool:
    """The checking processes; some processors are left to the editor and the server."""

    def __init__(self, size: int = 0) -> None:
        self.size = size or max(1, min(MOST, (os.cpu_count() or 2) // 2))
        self._idle: list[Process] = []
        self._places = asyncio.Semaphore(self.size)

    @overload
    async def run_job(self, job: Find) -> Files: ...

    @overload
    async def run_job(self, job: Check) -> Report: ...

    @overload
    async def run_job(self, job: Search) -> FileClues: ...

    async def run_job(self, job: Find | Check | Search) -> object:
        """Return the answer to a job. Raises LostError. Cancelling the caller stops the job."""
        async with self._places:
            process = self._idle.pop() if self._idle else await start_child(CHILD)
            try:
                answer = await _run_within(PATIENCE_SECONDS, _exchange_messages(process, job))
            except asyncio.TimeoutError:
                await _end_process(process)
                raise LostError(f"no answer in {PATIENCE_SECONDS:.0f} seconds") from None
            except (OSError, EOFError) as error:
                await _end_process(process)
                raise LostError(f"the process died ({type(error).__name__})") from None
            except BaseException:
                kill_child(process)
                raise
            self._idle.append(process)
            return answer

    def end_idle(self) -> None:
        """Let the idle processes end: there is nothing to do for now."""
        while self._idle:
            stdin = self._idle.pop().stdin
            if stdin is not None:
                stdin.close()


async def _run_within(seconds: float, work: Coroutine[object, object, Answer]) -> Answer:
    """Return the result of `work`. Raises TimeoutError. `wait_for` of Python 3.11 and before returns a result that
    comes together with a cancellation as if there had been none, and the scan would go on."""
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except BaseException:
        task.cancel()
        raise
    if not done:
        task.cancel()
        raise asyncio.TimeoutError
    return task.result()


async def _exchange_messages(process: Process, job: object) -> object:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(pack_message(job))
    await process.stdin.drain()
    header = await process.stdout.readexactly(HEADER.size)
    return pickle.loads(await process.stdout.readexactly(HEADER.unpack(header)[0]))


async def _end_process(process: Process) -> None:
    kill_child(process)
    await process.wait()
