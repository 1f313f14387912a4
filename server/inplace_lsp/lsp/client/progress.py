"""Work-done progress ($/progress): begun by the server, or under the token of a request."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from inplace_lsp.lsp.client.capabilities import Client

log = logging.getLogger(__name__)
PATIENCE_SECONDS = 2.0
EVERY_SECONDS = 0.1


class Progress:
    """Progress that is shown while the block runs, unless it is `quiet` or the client shows none.

    `counted`: the total is known.
    """

    def __init__(
        self,
        server: LanguageServer,
        client: Client,
        title: str,
        cancel: Callable[[], None],
        token: int | str | None = None,
        *,
        quiet: bool = False,
        counted: bool = True,
    ) -> None:
        self._all = server.work_done_progress
        self._creates = token is None
        self._token = token if token is not None else f"inplace-lsp/{uuid.uuid4()}"
        self._shown = not (quiet and token is None) and (client.progress or token is not None)
        self._title, self._cancel = title, cancel
        self._percentage = 0 if counted else None
        self._last_report = 0.0
        self._step: str | None = None
        self._begun = False

    async def __aenter__(self) -> Progress:
        if self._shown and self._creates:
            self._shown = await self._create_token()
        if self._shown:
            begin = types.WorkDoneProgressBegin(
                self._title, cancellable=True, message=self._step, percentage=self._percentage
            )
            self._all.begin(self._token, begin)
            self._begun = True
            self._all.tokens[self._token].add_done_callback(self._is_done)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._shown = self._begun = False
            self._all.end(self._token, types.WorkDoneProgressEnd(message="stopped" if error else "done"))
            self._all.tokens.pop(self._token, None)

    def report_count(self, done: int, total: int, what: str) -> None:
        """Report how much is done, at most every `EVERY_SECONDS`."""
        now = time.monotonic()
        if self._begun and now - self._last_report >= EVERY_SECONDS:
            self._last_report = now
            message, part = f"{done} of {total} files ({what})", 100 * done // total
            report = types.WorkDoneProgressReport(cancellable=True, message=message, percentage=part)
            self._all.report(self._token, report)

    def report_step(self, step: str) -> None:
        """Report the current step of work that is not counted."""
        self._step = step
        if self._begun:
            self._all.report(self._token, types.WorkDoneProgressReport(cancellable=True, message=step))

    async def _create_token(self) -> bool:
        """Create the progress; return whether the client shows it."""
        try:
            await asyncio.wait_for(self._all.create_async(self._token), PATIENCE_SECONDS)
        except (JsonRpcException, asyncio.TimeoutError) as error:
            log.info("no progress is shown: %s", error or "the client does not answer")
            return False
        return True

    def _is_done(self, future: Future[object]) -> None:
        if future.cancelled() and self._shown:
            self._cancel()
