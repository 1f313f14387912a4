"""The part of a session that a request may read or have computed. A handler that takes this cannot change the session.

It is a view, not a copy: an answer is about the newest text, and waits for its analysis (`current_result`). The texts,
analyses and settings that it returns are frozen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from lsprotocol import types
from pygls.workspace import PositionCodec

from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.client.progress import Progress
from inplace_lsp.lsp.client.settings import Settings
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.workspace.file_results import FileResult

Found = TypeVar("Found")


class WorkspaceView(Protocol):
    """The results for the files that are not open, as far as a request may read them."""

    @property
    def known(self) -> Mapping[str, FileResult]:
        """The results by file."""

    @property
    def is_busy(self) -> bool:
        """Return whether a pass is under way."""

    def is_settled(self, filename: str) -> bool:
        """Return whether the result for a file is up to date as far as the current pass knows."""

    def next_change(self) -> Awaitable[object]:
        """Wait for the next change from this very moment on."""

    def bring_up_to_date(self, token: int | str | None = None) -> None:
        """Have the results brought up to date, unless the user has stopped that."""


class SessionView(Protocol):
    """A session as requests see it."""

    @property
    def client(self) -> Client:
        """The client's capabilities."""

    @property
    def settings(self) -> Settings:
        """The user's settings."""

    @property
    def client_pulls_workspace(self) -> bool:
        """Whether the client requests the diagnostics of the whole workspace."""

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that the client has opened."""

    @property
    def position_codec(self) -> PositionCodec:
        """The client's unit of positions."""

    @property
    def files_on_disk(self) -> WorkspaceView:
        """The results for the files of the workspace that are not open."""

    async def current_result(self, uri: str, seconds: float | None = None) -> Result | None:
        """Return the analysis of the newest text of `uri`, waiting for it if it runs."""

    async def shown_result(self, uri: str) -> Result | None:
        """Return the analysis of the newest text of `uri`, or what the last session found in a text just opened."""

    def finished_results(self) -> Iterable[Result]:
        """Return the finished analyses of all open programs whose text has not changed since."""

    def open_texts(self, key: str) -> dict[str, str]:
        """Return the newest texts of all open programs but `key`, by filename."""

    def open_uris(self) -> list[str]:
        """Return the documents of all open programs."""

    def find_open_program(self, filename: str) -> Program | None:
        """Return the open program of the file `filename`."""

    def is_open(self, filename: str) -> bool:
        """Return whether the editor has the file open."""

    def search_repairs(self, program: str, key: object, search: Callable[[], Found]) -> asyncio.Future[Found]:
        """Search for repairs in `program` in the analysis thread, until its text changes."""

    def show_progress(self, title: str, cancel: Callable[[], None], token: int | str | None) -> Progress:
        """Return the progress of a request, shown under its token."""

    def send_partial(self, token: int | str, part: types.WorkspaceDiagnosticReportPartialResult) -> None:
        """Send a part of an answer."""

    def warn_once(self, message: str) -> None:
        """Warn the user, once for each message."""
