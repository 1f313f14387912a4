"""Keeps what is known of the workspace's files true: finds them, checks those that are new or changed, forgets others.

One pass at a time. Whatever may have changed something asks for a pass; asked during one, another follows.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from pathlib import PurePath

from inplace_lsp.lsp.programs import folders_of
from inplace_lsp.lsp.progress import Progress
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.settings import Settings
from inplace_lsp.lsp.workspace.crew import Crew, LostError
from inplace_lsp.lsp.workspace.jobs import Check, Files, Find, Report, Stamp
from inplace_lsp.lsp.workspace.known import Changed, Known, known_of

log = logging.getLogger(__name__)
TITLE = "inplace-lsp: checking the workspace"
NEVER: Stamp = (0, 0)
FEW = 8
"""Files that are checked without a word of progress: what a save costs is no news."""
IDLE_SECONDS = 30.0
"""How long the checking processes are kept for the next save."""


class Scan:
    """Lives on the event loop; the work is done by a `Crew`."""

    def __init__(self, session: Session, crew: Crew | None = None) -> None:
        self.known: dict[str, Known] = {}
        self.on_change: list[Callable[[str], None]] = []
        """Told of every file whose answer is new, or that is gone."""
        self._session = session
        self._crew = crew or Crew()
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
    def busy(self) -> bool:
        """Whether a pass is under way."""
        return self._running is not None

    def request(self, *, by_change: bool = True, everything: bool = False, token: int | str | None = None) -> None:
        """See to it that a pass runs from now on. `everything`: the configuration changed, nothing known counts.

        Not `by_change`: somebody only asks; then a scan that the user stopped stays stopped.
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
        self._start(token)

    def is_settled(self, filename: str) -> bool:
        """Whether what is known of a file is true as far as the pass under way has found out."""
        return not self._searching and filename not in self._waiting

    def touched(self, *, everything: bool = False) -> None:
        """Something on the disk, or the configuration, may be new: look, if anybody ever wanted to know."""
        if self._wanted:
            self.request(everything=everything)

    def wake(self) -> None:
        """Let those who wait for news look again."""
        self._tell(())

    def news(self) -> Awaitable[object]:
        """To wait until something is new from this very moment on: an answer, or the end of a pass."""
        return self._news.wait()

    def stop(self) -> None:
        """The user does not want to wait for the rest; what is known stays known."""
        self._stopped = True
        self._abandon()

    def forget(self) -> None:
        """Nobody wants to know any more."""
        self._abandon()
        gone, self.known = list(self.known), {}
        self._wanted, self._settings = False, None
        self._tell(gone)

    def _abandon(self) -> None:
        if self._running is not None:
            self._again = False
            self._running.cancel()

    def _start(self, token: int | str | None = None) -> None:
        if self._rest is not None:
            self._rest.cancel()
        self._again, self._searching = False, True
        self._running = asyncio.get_running_loop().create_task(self._pass(token))
        self._running.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """The pass is over, or was cancelled, perhaps before it began: what it has left is to be checked next time."""
        self._running, self._searching = None, False
        for file in self._waiting.keys() & self.known.keys():
            self.known[file] = replace(self.known[file], stamp=NEVER)
        self._waiting.clear()
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            log.error("the workspace cannot be checked: %s", error, exc_info=error)
        if self._again:
            self._start()
        else:
            self._rest = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._crew.dismiss)
        self._tell(())

    async def _pass(self, token: int | str | None) -> None:
        settings, folders = self._session.settings, folders_of(self._session.server.workspace)
        files: Files = await self._crew.ask(Find(folders, self._epoch)) if folders else Files({})
        for problem in files.problems:
            self._session.warn_once(problem)
        self._plan(files, settings)
        self._searching = False
        async with Progress(self._session, TITLE, self.stop, token, quiet=len(self._waiting) <= FEW) as progress:
            await self._check_all(settings, progress)

    def _plan(self, files: Files, settings: Settings) -> None:
        """What is to be checked: all that is new, all that changed, and all that depends on what changed or is gone."""
        gone = self.known.keys() - files.stamps.keys()
        known = {file: one.stamp for file, one in self.known.items()}
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
        self._tell(gone)

    async def _check_all(self, settings: Settings, progress: Progress) -> None:
        todo, total = iter(list(self._waiting.items())), len(self._waiting)

        async def work() -> None:
            for file, stamp in todo:  # shared: each takes the next one that is left
                await self._check(file, stamp, settings)
                progress.report(total - len(self._waiting), total, PurePath(file).name)

        await asyncio.gather(*(work() for _ in range(self._crew.size)))

    async def _check(self, file: str, stamp: Stamp, settings: Settings) -> None:
        try:
            report: Report = await self._crew.ask(Check(file, settings, self._epoch))
        except LostError as error:
            report = Report(file, error=str(error))
        if report.error:
            log.warning("%s: cannot be checked: %s", file, report.error)
        if report.problem:
            self._session.warn_once(report.problem)
        session, before = self._session, self.known.get(file)
        codec = session.server.workspace.position_codec
        self.known[file] = known_of(report, stamp, session.client, codec)
        self._waiting.pop(file, None)
        if before is None or before.result_id != self.known[file].result_id:
            self._tell([file])

    def _tell(self, files: Iterable[str]) -> None:
        for file in files:
            for listen in self.on_change:
                listen(file)
        self._news.set()
        self._news = asyncio.Event()
