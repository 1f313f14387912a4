"""workspace/diagnostic: the client asks for the diagnostics of all files, open or not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from lsprotocol import types

from inplace_lsp.lsp.diagnostic import Answer, answer_of
from inplace_lsp.lsp.programs import filename_of
from inplace_lsp.lsp.session import Session

METHOD = types.WORKSPACE_DIAGNOSTIC
BATCH_SECONDS = 0.1
Item = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


async def handle(session: Session, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """Report each file as soon as it is checked, where the client takes partial results.

    Such a client asks again and again: if there is nothing new, the answer waits until there is.
    """
    told = Told(session, params.previous_result_ids)
    session.scan.request(by_change=False, token=params.work_done_token)
    if params.partial_result_token is None:
        await _settled(session)
        return types.WorkspaceDiagnosticReport([*told.news(), *told.unchanged()])
    while not await _stream(session, told, params.partial_result_token):
        await session.scan.news()
    return types.WorkspaceDiagnosticReport([])


async def _settled(session: Session) -> None:
    while session.scan.busy:
        await session.scan.news()
    for uri in session.uris():
        await session.current(uri)


async def _stream(session: Session, told: Told, token: int | str) -> bool:
    """Send what is new until the pass under way is done. Returns whether there was anything."""
    fresh = False
    while True:
        busy = session.scan.busy
        items = list(told.news())
        fresh = fresh or bool(items)
        if not busy and fresh:
            items += told.unchanged()
        if items:
            partial = types.WorkspaceDiagnosticReportPartialResult(items)
            session.server.progress(types.ProgressParams(token, partial))
        if not busy:
            return fresh
        await session.scan.news()
        await asyncio.sleep(BATCH_SECONDS)


class Told:
    """What the client knows: the id of its last answer about every document.

    Documents go by their file names where they have any: clients do not all write a file's address alike.
    """

    def __init__(self, session: Session, previous: Sequence[types.PreviousResultId]) -> None:
        self._session = session
        self._before = {filename_of(one.uri): one.value for one in previous}
        self._uris = {filename_of(one.uri): one.uri for one in previous}
        self._now: dict[str, str] = {}

    def news(self) -> Iterator[Item]:
        """Reports on all documents about which there is something that the client was not told."""
        answers = dict(self._answers())
        for name, one in answers.items():
            if self._now.get(name, self._before.get(name)) != one.result_id:
                yield types.WorkspaceFullDocumentDiagnosticReport(
                    one.uri, list(one.items), version=one.version, result_id=one.result_id
                )
            self._now[name], self._uris[name] = one.result_id, one.uri
        if not self._session.scan.busy:
            for name in self._uris.keys() - answers.keys():
                self._now.pop(name, None)
                self._before.pop(name, None)
                yield types.WorkspaceFullDocumentDiagnosticReport(self._uris.pop(name), [])  # it is gone

    def unchanged(self) -> Iterator[Item]:
        """Reports on the others."""
        for name, one in self._answers():
            if self._before.get(name) == one.result_id:
                yield types.WorkspaceUnchangedDocumentDiagnosticReport(one.uri, one.result_id, version=one.version)

    def _answers(self) -> Iterator[tuple[str, Answer]]:
        """By name: of every open document the answer about its newest text, as far as it is analysed; of others that
        about the disk's.
        """
        session = self._session
        for result in session.results():
            for part in result.program.parts:
                yield filename_of(part.uri), answer_of(session, result, part.uri)
        if session.client_pulls_workspace and session.settings.diagnostic_mode != "workspace":
            return
        for filename, known in session.scan.known.items():
            if session.scan.is_settled(filename) and not session.is_open(filename):
                yield filename, Answer(known.uri, None, known.result_id, known.diagnostics)
