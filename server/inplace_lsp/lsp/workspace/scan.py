"""Keep the results for the workspace's files up to date: find files, check new and changed ones, forget the others.

There is one pass at a time. Every possible change requests a pass; a request during a pass starts another one after it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable
from dataclasses import replace
from pathlib import PurePath
from typing import Protocol

from pygls.lsp.server import LanguageServer

from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.client.progress import Progress
from inplace_lsp.lsp.client.settings import Settings
from inplace_lsp.lsp.documents.programs import list_folders
from inplace_lsp.lsp.workspace.file_results import Changed, FileResult, make_file_result
from inplace_lsp.lsp.workspace.jobs import Check, Files, Find, Report, Stamp
from inplace_lsp.lsp.workspace.pool import LostError, ProcessPool

log = logging.getLogger(__name__)
TITLE = "inplace-lsp: checking the workspace"
NEVER: Stamp = (0, 0)
FEW = 8
"""Maximum number of files that are checked without showing progress, as after a save."""
IDLE_SECONDS = 30.0
"""Seconds after which idle checking processes are ended."""


class Host(Protocol):
    """The part of a session that a scan needs."""

    server: LanguageServer
    client: Client
    settings: Settings

    def warn_once(self, message: str) -> None:
        """Warn the user, once for each message."""

    def show_file(self, filename: str) -> None:
        """Publish what is known about a file: its answer is new, or it is gone."""


class Scan:
    """Lives on the event loop; a `ProcessPool` does the work."""

    def __init__(self, host: Host, pool: ProcessPool | None = None) -> None:
        self.known: dict[str, FileResult] = {}
        self._host = host
        self._pool = pool or ProcessPool()
        self._waiting: dict[str, Stamp] = {}
        self._running: asyncio.Task[None] | None = None
        self._again = False
        self._searching = False
        self._wanted = self._stopped = False
        self._epoch = 0
        self._settings: Settings | None = None
        self._news = asyncio.Event()
        self._rest: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        """Return whether a pass is under way."""
        return self._running is not None

    def request_pass(self, *, by_change: bool = True, everything: bool = False, token: int | str | None = None) -> None:
        """Start a pass, or another one after the current one. `everything`: the configuration changed, so that all
        results are outdated.

        `by_change`: something has changed. A mere question does not restart a scan that the user stopped.
        """
        self._wanted = True
        self._stopped = self._stopped and not by_change
        if everything:
            self._epoch += 1
            self._settings = None
        if self._stopped:
            return
        if self._running is not None:
            self._again = True
            return
        self._start_pass(token)

    def bring_up_to_date(self, token: int | str | None = None) -> None:
        """Start a pass for a request; a scan that the user stopped stays stopped."""
        self.request_pass(by_change=False, token=token)

    def is_settled(self, filename: str) -> bool:
        """Return whether the result for a file is up to date as far as the current pass knows."""
        return not self._searching and filename not in self._waiting

    def rescan_if_wanted(self, *, everything: bool = False) -> None:
        """Scan after a change of the disk or the configuration, if anybody ever asked for results."""
        if self._wanted:
            self.request_pass(everything=everything)

    def wake_waiters(self) -> None:
        """Wake those who wait for changes."""
        self._notify_changes(())

    def next_change(self) -> Awaitable[object]:
        """Wait for the next change from this very moment on: an answer, or the end of a pass."""
        return self._news.wait()

    def stop_scan(self) -> None:
        """Stop the pass at the user's wish; results so far stay."""
        self._stopped = True
        self._abandon_pass()

    def forget_all(self) -> None:
        """Drop all results, which are not needed any more."""
        self._abandon_pass()
        gone, self.known = list(self.known), {}
        self._wanted, self._settings = False, None
        self._notify_changes(gone)

    def _abandon_pass(self) -> None:
        if self._running is not None:
            self._again = False
            self._running.cancel()

    def _start_pass(self, token: int | str | None = None) -> None:
        if self._rest is not None:
            self._rest.cancel()
        self._again, self._searching = False, True
        self._running = asyncio.get_running_loop().create_task(self._run_pass(token))
        self._running.add_done_callback(self._on_pass_end)

    def _on_pass_end(self, task: asyncio.Task[None]) -> None:
        """Handle the end of a pass, or its cancellation: the next pass checks the remaining files."""
        self._running, self._searching = None, False
        for file in self._waiting.keys() & self.known.keys():
            self.known[file] = replace(self.known[file], stamp=NEVER)
        self._waiting.clear()
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            log.error("the workspace cannot be checked: %s", error, exc_info=error)
        if self._again:
            self._start_pass()
        else:
            self._rest = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._pool.end_idle)
        self._notify_changes(())

    async def _run_pass(self, token: int | str | None) -> None:
        settings, folders = self._host.settings, list_folders(self._host.server.workspace)
        files: Files = await self._pool.run_job(Find(folders, self._epoch)) if folders else Files({})
        for problem in files.problems:
            self._host.warn_once(problem)
        self._plan_checks(files, settings)
        self._searching = False
        quiet = len(self._waiting) <= FEW
        server, client = self._host.server, self._host.client
        async with Progress(server, client, TITLE, self.stop_scan, token, quiet=quiet) as progress:
            await self._check_all(settings, progress)

    def _plan_checks(self, files: Files, settings: Settings) -> None:
        """Choose what to check: what is new or changed, and what depends on changed or deleted files."""
        gone = self.known.keys() - files.stamps.keys()
        known = {file: known.stamp for file, known in self.known.items()}
        new = {file for file, stamp in files.stamps.items() if known.get(file) != stamp}
        changed = Changed((*gone, *new))
        everything = settings != self._settings
        self._settings = settings
        for file in gone:
            del self.known[file]
        self._waiting = {
            file: stamp
            for file, stamp in files.stamps.items()
            if everything or file in new or self.known[file].depends_on(changed)
        }
        self._notify_changes(gone)

    async def _check_all(self, settings: Settings, progress: Progress) -> None:
        todo, total = iter(list(self._waiting.items())), len(self._waiting)

        async def check_files() -> None:
            for file, stamp in todo:  # shared: each takes the next one that is left
                await self._check_file(file, stamp, settings)
                progress.report_count(total - len(self._waiting), total, PurePath(file).name)

        await asyncio.gather(*(check_files() for _ in range(self._pool.size)))

    async def _check_file(self, file: str, stamp: Stamp, settings: Settings) -> None:
        try:
            report: Report = await self._pool.run_job(Check(file, settings, self._epoch))
        except LostError as error:
            report = Report(file, error=str(error))
        if report.error:
            log.warning("%s: cannot be checked: %s", file, report.error)
        if report.problem:
            self._host.warn_once(report.problem)
        host, before = self._host, self.known.get(file)
        codec = host.server.workspace.position_codec
        self.known[file] = make_file_result(report, stamp, host.client, codec)
        self._waiting.pop(file, None)
        if before is None or before.result_id != self.known[file].result_id:
            self._notify_changes([file])

    def _notify_changes(self, files: Iterable[str]) -> None:
        for file in files:
            self._host.show_file(file)
        self._news.set()
        self._news = asyncio.Event()
