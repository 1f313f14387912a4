"""inplace/why (a request of our own): find the writes of the workspace that explain an error of torch's."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping

from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import to_fs_path

from inplace_lsp.lsp.client.static_capabilities import WHY
from inplace_lsp.lsp.documents.convert import Part, Program
from inplace_lsp.lsp.documents.sources import Sources
from inplace_lsp.lsp.session.view import SessionView
from inplace_lsp.lsp.workspace.file_results import uri_of
from inplace_lsp.lsp.workspace.jobs import Files, Find, Search
from inplace_lsp.lsp.workspace.pool import LostError, ProcessPool
from inplace_lsp.report.why_json import why_json
from inplace_lsp.report.why_text import why_text
from inplace_lsp.tape.plain import Plain
from inplace_lsp.why.answer import Answer, explain_errors
from inplace_lsp.why.gather import FileClues, make_failed_file
from inplace_lsp.why.message import TorchError
from inplace_lsp.why.ranking import Candidate
from inplace_lsp.why.reading import read_errors

TITLE = "inplace-lsp: looking for the write"


async def handle(session: SessionView, params: object) -> dict[str, Plain] | None:
    """Return the JSON of `inplace-lsp why`, each candidate with its `uri` and `range`, and all of it as `text`; null
    for a text without such an error."""
    log = getattr(params, "text", None)
    if not isinstance(log, str):
        raise JsonRpcInvalidParams(f"{WHY}: `text`, the error message or a log with it, is needed")
    errors = await asyncio.to_thread(read_errors, log)
    if not errors:
        return None
    texts = {name: text for name, text in session.open_texts("").items() if os.path.isabs(name)}
    folders = _read_folders(session, params)
    found = await _search_folders(session, folders, texts, getattr(params, "workDoneToken", None))
    return await asyncio.to_thread(_build_answer, session, errors, found, texts, folders)


def _read_folders(session: SessionView, params: object) -> tuple[str, ...]:
    """Return the folders that the client names, else those of the workspace."""
    named = getattr(params, "folders", None)
    if named is None:
        return session.folders
    if not isinstance(named, (list, tuple)) or not all(isinstance(uri, str) for uri in named):
        raise JsonRpcInvalidParams(f"{WHY}: `folders` must be a list of URIs")
    return tuple(path for uri in named if (path := to_fs_path(uri)))


async def _search_folders(
    session: SessionView, folders: tuple[str, ...], texts: Mapping[str, str], token: int | str | None
) -> list[FileClues]:
    """Return the clues in the files below `folders`, and in the open files."""
    pool = ProcessPool()
    here = asyncio.current_task()

    def stop_search() -> None:
        if here is not None:
            here.cancel()

    try:
        files = {**await _find_files(session, folders, pool), **dict.fromkeys(texts)}
        waiting, found = iter(sorted(files)), list[FileClues]()
        async with session.show_progress(TITLE, stop_search, token) as progress:

            async def search_files() -> None:
                for file in waiting:  # shared: each takes the next one that is left
                    found.append(await _search_in(session, pool, file, texts.get(file)))
                    progress.report_count(len(found), len(files), os.path.basename(file))

            await asyncio.gather(*(search_files() for _ in range(pool.size)))
    finally:
        pool.end_idle()
    return sorted(found, key=lambda clues: clues.filename)


async def _find_files(session: SessionView, folders: tuple[str, ...], pool: ProcessPool) -> dict[str, None]:
    try:
        files: Files = await pool.run_job(Find(folders)) if folders else Files({})
    except LostError as error:
        session.warn_once(f"the folders of the workspace cannot be searched: {error}")
        return {}
    return dict.fromkeys(files.stamps)


async def _search_in(session: SessionView, pool: ProcessPool, file: str, text: str | None) -> FileClues:
    try:
        found: FileClues = await pool.run_job(Search(file, session.settings, text))
    except LostError as error:
        return make_failed_file(file, str(error))
    return found


def _build_answer(
    session: SessionView,
    errors: tuple[TorchError, ...],
    found: list[FileClues],
    texts: Mapping[str, str],
    folders: tuple[str, ...],
) -> dict[str, Plain]:
    sources = Sources(texts)
    answer = explain_errors(errors, found, sources)
    places = [_locate_candidate(session, candidate, sources) for candidate in answer.candidates]
    plain = why_json(answer, places=places)
    return {**plain, "text": _format_answer(answer, sources, folders)}


def _locate_candidate(session: SessionView, candidate: Candidate, sources: Sources) -> dict[str, Plain]:
    """Return the candidate's location as JSON for the client."""
    name = candidate.span.file
    program = session.find_open_program(name)
    if program is None:
        part = Part(uri_of(name), None, 1, tuple(sources[name]))
        program = Program(uri_of(name), name, "", (part,), session.position_codec)
    place = program.location_of(candidate.span)
    if place is None:
        return {}
    start, end = place.range.start, place.range.end
    return {
        "uri": place.uri,
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
    }


def _format_answer(answer: Answer, sources: Sources, folders: tuple[str, ...]) -> str:
    lines = why_text(answer, sources, folders[0] if folders else os.sep)
    return "".join(f"{line.plain.rstrip()}\n" for line in lines)
