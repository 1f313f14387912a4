"""The server's state: the client, the open programs, and the analysis of each one's newest text."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

from inplace_lsp.analysis import Analysis, Cause, Early
from inplace_lsp.disk import too_large
from inplace_lsp.facts.models import is_below, list_model_places
from inplace_lsp.facts.modules import module_name
from inplace_lsp.internal_errors import describe_error
from inplace_lsp.lsp.client.capabilities import Client
from inplace_lsp.lsp.client.log_trace import Tracer
from inplace_lsp.lsp.client.progress import Progress
from inplace_lsp.lsp.client.settings import Settings
from inplace_lsp.lsp.documents.checked import Checked
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.last_session import finds_the_same, keep_findings, recall_findings
from inplace_lsp.lsp.documents.programs import find_program, is_too_large, list_folders
from inplace_lsp.lsp.documents.proofs import Proofs
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.session.background import Background
from inplace_lsp.lsp.session.disk_stamps import DiskStamps, list_configuration_files
from inplace_lsp.lsp.session.importers import Importers
from inplace_lsp.lsp.session.prover import Prover
from inplace_lsp.lsp.session.publisher import Publisher
from inplace_lsp.lsp.session.refiner import Refiner
from inplace_lsp.lsp.workspace.scan import Scan

log = logging.getLogger(__name__)
Found = TypeVar("Found")
Check = Callable[[Program, Settings, dict[str, str], Analysis, Early | None], Checked]


@dataclass
class Entry:
    """An open program and the analysis of its newest text."""

    program: Program
    """The newest text."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the analysis is done."""
    result: Result | None = None
    recalling: asyncio.Future[Checked | None] | None = None
    """The search for findings of the last session, for a text that was just opened."""
    recalled: Result | None = None
    """The findings of the last session."""
    kept: bool = False
    """Whether to store the result for the next session."""
    shown: Result | None = None
    """The findings of the last session that the client has requested."""
    began: float = field(default_factory=time.perf_counter)
    models: tuple[str, ...] = ()
    """The folders of the model files of the last analysis."""
    last: Analysis = field(default_factory=Analysis)
    """The last analysis."""
    missed: bool = False
    """Whether a request has ended without waiting for the analysis."""

    @property
    def is_as_opened(self) -> bool:
        """Return whether its text is that of the disk, and is not analysed yet: settings may still arrive."""
        return self.kept and self.result is None

    def may_depend_on(self, filename: str) -> bool:
        """Return whether its text names the module in that file, or the file (or folder) is one of its models."""
        name = module_name(filename)
        return bool(name and name in self.program.text) or any(is_below(filename, folder) for folder in self.models)


class Session:
    """A client's session. It lives on the event loop; only `Background` has another thread."""

    def __init__(self, server: LanguageServer, check: Check) -> None:
        self.server = server
        self.trace = Tracer(server)
        self.client = Client()
        self.initial_settings = self.settings = Settings()
        self.background = Background()
        self.trusted = False
        """Whether the user trusts the workspace; its code runs only then."""
        self.client_tells_verdicts = False
        """Whether the client itself shows the verdict of a run in a message."""
        self.proofs = Proofs()
        self.prover = Prover()
        self.client_pulls_workspace = False
        """Whether the client requests the diagnostics of the whole workspace."""
        self.publisher = Publisher(self)
        self.files_on_disk = Scan(self)
        self.disk_stamps = DiskStamps()
        self._refiner = Refiner(self)
        self._importers = Importers(self)
        self._check = check
        self._warnings: dict[str, bool] = {}
        self._may_speak = False
        self._entries: dict[str, Entry] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folders that the client has opened."""
        return list_folders(self.server.workspace)

    @property
    def position_codec(self) -> PositionCodec:
        """Return the client's unit of positions."""
        return self.server.workspace.position_codec

    def run_beside(self, work: Coroutine[object, object, None]) -> None:
        """Run `work` as a task; the event loop itself holds tasks only weakly."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def analyse_document(self, uri: str, *, by_edit: bool = True) -> None:
        """Analyse the new text of `uri`, and abandon what was computed about the old one.

        Not `by_edit`: something else changed that the analysis depends on.
        """
        program = find_program(self.server.workspace, uri)
        if program is None:
            log.warning("%s is not open", uri)
            return
        if is_too_large(self.server.workspace, uri):
            self.warn_once(f"{program.filename} is not analysed: it is {too_large()}.")
        self.background.abandon_all(_make_fixes_key(program.key))
        old = self._entries.get(program.key)
        entry = Entry(program, old.ready if old and not old.ready.is_set() else asyncio.Event())
        if old is not None:
            entry.models, entry.last = old.models, old.last
        self._entries[program.key] = entry
        if old is None or (old.is_as_opened and not by_edit):
            self._recall_findings(entry)
        else:
            self._start_analysis(entry)
        if old is None:
            self.publisher.withdraw_opened_files(program.filename, [part.uri for part in program.parts])
            self.disk_stamps.note_files(list_configuration_files([program.filename]))
        if by_edit:
            self._importers.note_edit(program.key)

    def _recall_findings(self, entry: Entry) -> None:
        """Show what the last session found in a text that was just opened, then have it analysed."""
        program, settings, opened = entry.program, self.settings, self.open_texts(entry.program.key)
        entry.kept = True
        entry.recalling = self.background.submit_job(program.key, lambda: recall_findings(program, settings, opened))
        entry.recalling.add_done_callback(lambda future: self._on_recalled(entry, future))

    def _on_recalled(self, entry: Entry, future: asyncio.Future[Checked | None]) -> None:
        if future.cancelled() or self._entries.get(entry.program.key) is not entry:
            return
        found = None if future.exception() else future.result()
        if found is not None:
            entry.recalled = Result(entry.program, found.analysis, read=found.read)
            self.publisher.publish_result(entry.recalled)
        self._start_analysis(entry)

    def _start_analysis(self, entry: Entry) -> None:
        program, settings, opened = entry.program, self.settings, self.open_texts(entry.program.key)
        last, early = entry.last, None if self.client.pull_diagnostics else self._make_early_listener(program)
        running = self.background.submit_job(program.key, lambda: self._check(program, settings, opened, last, early))
        running.add_done_callback(lambda future: self._on_analysed(entry, future))

    def keep_findings(self, uri: str) -> None:
        """Store the findings in the newest text of `uri`, which was saved, for the next session."""
        program = find_program(self.server.workspace, uri)
        entry = self._entries.get(program.key) if program else None
        if entry is not None:
            entry.kept = True
            self._keep_if_done(entry)

    def _keep_if_done(self, entry: Entry) -> None:
        """Store the result of a text for the next session if it is done, wanted, and not stored already."""
        if not entry.kept or entry.result is None:
            return
        entry.kept = False
        program, settings, analysis = entry.program, self.settings, entry.result.analysis
        if entry.recalled is None or not finds_the_same(entry.recalled.analysis, analysis):
            self.background.submit_job(f"keep {program.key}", lambda: keep_findings(program, settings, analysis))

    def close_notebook(self, uri: str) -> None:
        """Forget a closed notebook, and what was published about its cells."""
        program = self._forget_program(uri)
        self.publisher.clear_documents([part.uri for part in program.parts] if program else [])

    def close_document(self, uri: str) -> None:
        """Forget a closed document; from now on the text and the diagnostics of the disk count."""
        program = self._forget_program(uri)
        if program is None:
            return
        self.publisher.clear_documents([part.uri for part in program.parts])
        self.show_file(program.filename)
        self.files_on_disk.rescan_if_wanted()
        self.files_on_disk.wake_waiters()
        self.note_disk_changes([program.filename])

    def _forget_program(self, key: str) -> Program | None:
        """Forget the closed document or notebook `key`, so that nothing is published after this; return its last
        program."""
        self.background.abandon_job(key)
        self.background.abandon_all(_make_fixes_key(key))
        entry = self._entries.pop(key, None)
        if entry is None:
            return None
        entry.ready.set()
        return entry.program

    def show_file(self, filename: str) -> None:
        """Publish what is known about a file of the workspace that is not open."""
        self.publisher.publish_file(filename, self.files_on_disk.known.get(filename))

    def reanalyse_all(self) -> None:
        """Analyse every open program again: something outside of the texts changed (the configuration)."""
        for key in list(self._entries):
            self.analyse_document(key, by_edit=False)
        if self.settings.diagnostic_mode == "workspace":
            self.files_on_disk.request_pass(everything=True)
        elif self.client_pulls_workspace:
            self.files_on_disk.wake_waiters()
        else:
            self.files_on_disk.forget_all()
        self.refresh_client()

    def note_disk_changes(self, filenames: Collection[str]) -> None:
        """Reanalyse the open programs that may depend on files, not open themselves, that were written, made or
        deleted."""
        changed = [filename for filename in filenames if not self.is_open(filename)]
        importers = [key for key, entry in self._entries.items() if any(entry.may_depend_on(name) for name in changed)]
        for key in importers:
            self.analyse_document(key, by_edit=False)
        self.files_on_disk.rescan_if_wanted()
        if importers:
            self.refresh_client()

    def refresh_client(self) -> None:
        """Have a client that pulls diagnostics, hints and lenses pull again."""
        ask_again = {
            "diagnostics": self.server.workspace_diagnostic_refresh,
            "inlay_hint": self.server.workspace_inlay_hint_refresh,
            "code_lens": self.server.workspace_code_lens_refresh,
        }
        for name in self.client.refreshes:
            ask_again[name](None)

    def open_texts(self, key: str) -> dict[str, str]:
        """Return the newest texts of all open programs but `key`, by filename: they may not be on disk yet."""
        return {entry.program.filename: entry.program.text for other, entry in self._entries.items() if other != key}

    def importers_of(self, key: str) -> list[str]:
        """Return the other open programs that may depend on `key`."""
        entry = self._entries.get(key)
        name = entry.program.filename if entry else ""
        return [other for other, entry in self._entries.items() if name and other != key and entry.may_depend_on(name)]

    def open_filenames(self) -> list[str]:
        """Return the files of all open programs."""
        return [entry.program.filename for entry in self._entries.values()]

    def imported_files(self) -> set[str]:
        """Return the files that imports of open programs led to, and their model files."""
        folders = {folder for entry in self._entries.values() for folder in entry.models}
        return {path for result in self.finished_results() for path in result.read}.union(
            list_model_places(tuple(folders))
        )

    def find_open_program(self, filename: str) -> Program | None:
        """Return the open program of the file `filename`."""
        return next((entry.program for entry in self._entries.values() if entry.program.filename == filename), None)

    def is_open(self, filename: str) -> bool:
        """Return whether the editor has the file open; then its text counts, not the disk's."""
        return self.find_open_program(filename) is not None

    def open_uris(self) -> list[str]:
        """Return the documents of all open programs."""
        return [part.uri for entry in self._entries.values() for part in entry.program.parts]

    def warn_once(self, message: str) -> None:
        """Warn the user, once for each message."""
        if message not in self._warnings:
            log.warning("%s", message)
            self._warnings[message] = self._may_speak
            if self._may_speak:
                self._show_warning(message)

    def say_late_warnings(self) -> None:
        """Show the warnings from before `initialized`, until which a server has to be quiet."""
        self._may_speak = True
        for message, said in self._warnings.items():
            if not said:
                self._show_warning(message)

    def _show_warning(self, message: str) -> None:
        warning = types.MessageType.Warning
        self.server.window_show_message(types.ShowMessageParams(warning, f"inplace-lsp: {message}"))

    def finished_results(self) -> Iterator[Result]:
        """Return the finished analyses of all open programs whose text has not changed since."""
        return (entry.result for entry in self._entries.values() if entry.result is not None)

    async def current_result(self, uri: str, seconds: float | None = None) -> Result | None:
        """Return the analysis of the newest text of `uri`, waiting for it if it runs.

        None if it is not open, was closed or could not be analysed, or if it took longer than `seconds`.
        """
        program = find_program(self.server.workspace, uri)
        entry = self._entries.get(program.key) if program else None
        if program is None or entry is None:
            return None
        try:
            if not entry.ready.is_set():
                await asyncio.wait_for(entry.ready.wait(), seconds)
        except asyncio.TimeoutError:
            self._entries.get(program.key, entry).missed = True
            return None
        newest = self._entries.get(program.key)
        if newest is not None and newest is not entry and not newest.ready.is_set():
            return await self.current_result(uri, seconds)  # it is analysed again: by other settings, say
        return newest.result if newest else None

    async def shown_result(self, uri: str) -> Result | None:
        """Return the analysis of the newest text of `uri`, or what the last session found in a text that was just
        opened; then the client is to ask again once the analysis is done."""
        program = find_program(self.server.workspace, uri)
        entry = self._entries.get(program.key) if program else None
        if entry is not None and entry.recalling is not None:
            await asyncio.wait({entry.recalling})
            if entry.result is None and entry.recalled is not None and self._entries.get(entry.program.key) is entry:
                entry.shown = entry.recalled
                return entry.recalled
        return await self.current_result(uri)

    def search_repairs(self, program: str, key: object, search: Callable[[], Found]) -> asyncio.Future[Found]:
        """Search for repairs in `program` in the analysis thread, until its text changes."""
        return self.background.submit_job(f"{_make_fixes_key(program)}{key}", search)

    def show_progress(self, title: str, cancel: Callable[[], None], token: int | str | None) -> Progress:
        """Return the progress of a request, shown under its token."""
        return Progress(self.server, self.client, title, cancel, token)

    def send_partial(self, token: int | str, part: types.WorkspaceDiagnosticReportPartialResult) -> None:
        """Send a part of an answer."""
        self.server.progress(types.ProgressParams(token, part))

    def show_proof(self, key: str) -> None:
        """Publish again what is known about the newest text of `key`, after a new proof."""
        entry = self._entries.get(key)
        if entry is None or entry.result is None:
            return
        verified = self.proofs.find_proofs_of(key, entry.program.text)
        entry.result = replace(entry.result, verified=verified, answers={})
        self._show_result(entry.result)
        self.refresh_client()

    def _make_early_listener(self, program: Program) -> Early:
        """Return the function that publishes a partial analysis of a program; another thread calls it."""
        loop = asyncio.get_running_loop()

        def publish_early(analysis: Analysis) -> None:
            with suppress(RuntimeError):  # the loop is closed: the server is going down
                loop.call_soon_threadsafe(self._on_known_early, program, analysis)

        return publish_early

    def _on_known_early(self, program: Program, analysis: Analysis) -> None:
        entry = self._entries.get(program.key)
        if entry is not None and entry.program is program and entry.result is None:
            verified = self.proofs.find_proofs_of(program.key, program.text)
            self.publisher.publish_result(Result(program, analysis, verified=verified))

    def _warn_about_gaps(self, filename: str, checked: Checked) -> None:
        """Say where our own faults, or the configuration, made an analysis less than it should be."""
        if checked.problem:
            self.warn_once(checked.problem)
        for gap in checked.analysis.gaps:
            if gap.cause is Cause.FAULT:
                self.warn_once(f"{filename}: not all is known of `{gap.function}`: {gap.reason}")

    def _on_analysed(self, entry: Entry, future: asyncio.Future[Checked]) -> None:
        if future.cancelled() or self._entries.get(entry.program.key) is not entry:
            return
        error = future.exception()
        if error is not None:
            self.warn_once(_describe_failure(entry.program.filename, error))
        checked = Checked(Analysis()) if error else future.result()
        self._warn_about_gaps(entry.program.filename, checked)
        verified = self.proofs.find_proofs_of(entry.program.key, entry.program.text)
        entry.result = Result(entry.program, checked.analysis, read=checked.read, verified=verified)
        entry.models, entry.last = checked.models, entry.last if error else checked.analysis
        self.disk_stamps.note_files(entry.result.read)  # what changes once the result is shown is a change
        self.trace.log_message(_describe_analysis(entry))
        entry.ready.set()
        self._show_result(entry.result)
        self._keep_if_done(entry)
        if entry.missed or (entry.shown and not finds_the_same(entry.shown.analysis, checked.analysis)):
            self.refresh_client()

    def _show_result(self, result: Result) -> None:
        self.publisher.publish_result(result)
        self._refiner.note_result(result)


def _describe_failure(filename: str, error: BaseException) -> str:
    """Return a warning that a file could not be analysed: it shows no findings, as if it had none."""
    return f"{filename} could not be analysed: {describe_error(error)}"


def _describe_analysis(entry: Entry) -> str:
    program, found = entry.program, len(entry.result.analysis.findings) if entry.result else 0
    versions = ", ".join(str(part.version) for part in program.parts)
    took = (time.perf_counter() - entry.began) * 1000
    return f"{program.key} version {versions}: {found} finding{'s' * (found != 1)} in {took:.1f} ms"


def _make_fixes_key(program: str) -> str:
    """Return the prefix of the keys of background jobs that look for repairs in `program`."""
    return f"fixes of {program}\n"
