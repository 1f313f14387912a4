"""workspace/diagnostic: the diagnostics of all files, open or not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from inplace_lsp.lsp.documents.programs import find_filename
from inplace_lsp.lsp.requests.diagnostic import Answer, make_answer

if TYPE_CHECKING:
    from inplace_lsp.lsp.session.view import SessionView

BATCH_SECONDS = 0.1
Item = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


async def handle(session: SessionView, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """Report each file as soon as it is checked, where the client takes partial results.

    Such a client asks again and again: if there is nothing new, the answer waits until there is.
    """
    reported = ReportedAnswers(session, params.previous_result_ids)
    session.files_on_disk.bring_up_to_date(params.work_done_token)
    if params.partial_result_token is None:
        await _wait_until_settled(session)
        return types.WorkspaceDiagnosticReport([*reported.list_new_reports(), *reported.list_unchanged_reports()])
    while not await _stream_news(session, reported, params.partial_result_token):
        await session.files_on_disk.next_change()
    return types.WorkspaceDiagnosticReport([])


async def _wait_until_settled(session: SessionView) -> None:
    while session.files_on_disk.is_busy:
        await session.files_on_disk.next_change()
    for uri in session.open_uris():
        await session.current_result(uri)


async def _stream_news(session: SessionView, reported: ReportedAnswers, token: int | str) -> bool:
    """Send what is new until the current pass is done. Returns whether there was anything."""
    fresh = False
    while True:
        busy = session.files_on_disk.is_busy
        items = list(reported.list_new_reports())
        fresh = fresh or bool(items)
        if not busy and fresh:
            items += reported.list_unchanged_reports()
        if items:
            partial = types.WorkspaceDiagnosticReportPartialResult(items)
            session.send_partial(token, partial)
        if not busy:
            return fresh
        await session.files_on_disk.next_change()
        await asyncio.sleep(BATCH_SECONDS)


class ReportedAnswers:
    """The answers that the client has: the id of the last one about every document.

    Documents go by their file names where they have any: clients do not all write a file's address alike.
    """

    def __init__(self, session: SessionView, previous: Sequence[types.PreviousResultId]) -> None:
        self._session = session
        self._before = {find_filename(known.uri): known.value for known in previous}
        self._uris = {find_filename(known.uri): known.uri for known in previous}
        self._now: dict[str, str] = {}

    def list_new_reports(self) -> Iterator[Item]:
        """Yield reports on all documents with something new for the client."""
        answers = dict(self._list_current_answers())
        for name, answer in answers.items():
            if self._now.get(name, self._before.get(name)) != answer.result_id:
                yield types.WorkspaceFullDocumentDiagnosticReport(
                    answer.uri, list(answer.items), version=answer.version, result_id=answer.result_id
                )
            self._now[name], self._uris[name] = answer.result_id, answer.uri
        if not self._session.files_on_disk.is_busy:
            for name in self._uris.keys() - answers.keys():
                self._now.pop(name, None)
                self._before.pop(name, None)
                yield types.WorkspaceFullDocumentDiagnosticReport(self._uris.pop(name), [])  # the file is gone

    def list_unchanged_reports(self) -> Iterator[Item]:
        """Yield reports on the other documents."""
        for name, answer in self._list_current_answers():
            if self._before.get(name) == answer.result_id:
                yield types.WorkspaceUnchangedDocumentDiagnosticReport(
                    answer.uri, answer.result_id, version=answer.version
                )

    def _list_current_answers(self) -> Iterator[tuple[str, Answer]]:
        """Yield, by file name, the answers about the newest analysed texts, and about other files on disk."""
        session = self._session
        for result in session.finished_results():
            for part in result.program.parts:
                yield find_filename(part.uri), make_answer(session, result, part.uri)
        if session.client_pulls_workspace and session.settings.diagnostic_mode != "workspace":
            return
        for filename, known in session.files_on_disk.known.items():
            if session.files_on_disk.is_settled(filename) and not session.is_open(filename):
                yield filename, Answer(known.uri, None, known.result_id, known.diagnostics)
