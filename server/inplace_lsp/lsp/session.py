"""What the server knows while it runs: the client, the open programs, and for each the analysis of its newest text."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from inplace_lsp.analysis import Analysis
from inplace_lsp.disk import too_large
from inplace_lsp.facts.models import is_below, places_of
from inplace_lsp.facts.modules import module_name
from inplace_lsp.lsp.background import Background
from inplace_lsp.lsp.checked import Checked
from inplace_lsp.lsp.client import Client
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.log_trace import Tracer
from inplace_lsp.lsp.programs import is_too_large, program_of
from inplace_lsp.lsp.proofs import NOTHING, Proofs, Verified
from inplace_lsp.lsp.prover import Prover
from inplace_lsp.lsp.settings import Settings

if TYPE_CHECKING:
    from inplace_lsp.lsp.workspace.scan import Scan

log = logging.getLogger(__name__)
REFRESH = {
    "diagnostics": "workspace_diagnostic_refresh",
    "inlay_hint": "workspace_inlay_hint_refresh",
    "code_lens": "workspace_code_lens_refresh",
}
"""What the client is asked to ask for again when answers change without an edit."""


@dataclass(frozen=True)
class Result:
    """An analysis and the very text it is about: the two are never mixed with those of another version."""

    program: Program
    analysis: Analysis
    fixes: dict[object, asyncio.Future[Any]] = field(default_factory=dict)
    hints: dict[str, dict[tuple[int, int], list[str]]] = field(default_factory=dict)
    answers: dict[str, object] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    verified: Verified = NOTHING


@dataclass
class Entry:
    """An open program: its newest text, the analysis under way, and who waits for it. `models`: the folders of the
    model files with which it was analysed last."""

    program: Program
    running: asyncio.Future[Any]
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    result: Result | None = None
    began: float = field(default_factory=time.perf_counter)
    models: tuple[str, ...] = ()
    missed: bool = False
    """Somebody could not wait for it."""

    def may_depend_on(self, filename: str) -> bool:
        """Whether its text names the module in that file, or the file (or folder) is one of its models."""
        name = module_name(filename)
        return bool(name and name in self.program.text) or any(is_below(filename, folder) for folder in self.models)


class Session:
    """One client's session. All of it lives on the event loop; only `Background` has another thread."""

    scan: Scan

    def __init__(self, server: LanguageServer, check: Callable[[Program, Settings, dict[str, str]], Checked]) -> None:
        self.server = server
        self.trace = Tracer(server)
        self.client = Client()
        self.initial_settings = self.settings = Settings()
        self.background: Background[Any] = Background()
        self.on_result: list[Callable[[Result], None]] = []
        self.on_open: list[Callable[[Program], None]] = []
        self.on_edit: list[Callable[[str], None]] = []
        self.on_close: list[Callable[[Program], None]] = []
        self.on_configuration: list[Callable[[], None]] = []
        self.on_disk: list[Callable[[], None]] = []
        self.trusted = False
        """Whether the user trusts the workspace: nothing of it runs before."""
        self.interpreter: str | None = None
        """The editor's choice of the Python that runs user code."""
        self.proofs = Proofs()
        self.prover = Prover()
        self.client_pulls_workspace = False
        """Whether the client was told to ask for the diagnostics of the whole workspace."""
        self._check = check
        self._warnings: dict[str, bool] = {}
        self._may_speak = False
        self._entries: dict[str, Entry] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` beside everything else; the event loop itself holds tasks only weakly."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def changed(self, uri: str, *, by_edit: bool = True) -> None:
        """The text of `uri` is new: abandon what was computed about the old one and analyse.

        Not `by_edit`: something else is new that the analysis depends on.
        """
        program = program_of(self.server.workspace, uri)
        if program is None:
            log.warning("%s is not open", uri)
            return
        if is_too_large(self.server.workspace, uri):
            self.warn_once(f"{program.filename} is not analysed: it is {too_large()}.")
        self.background.abandon_all(fixes_key(program.key))
        settings, opened = self.settings, self.opened(program.key)
        running = self.background.submit(program.key, lambda: self._check(program, settings, opened))
        old = self._entries.get(program.key)
        entry = Entry(program, running, old.ready if old and not old.ready.is_set() else asyncio.Event())
        if old is not None:
            entry.models = old.models
        self._entries[program.key] = entry
        running.add_done_callback(lambda future: self._finished(entry, future))
        if old is None:
            for listen in self.on_open:
                listen(program)
        if by_edit:
            for heard in self.on_edit:
                heard(program.key)

    def closed(self, key: str) -> Program | None:
        """`key` (a document or a notebook) was closed. Returns what it last was."""
        self.background.abandon(key)
        self.background.abandon_all(fixes_key(key))
        entry = self._entries.pop(key, None)
        if entry is None:
            return None
        entry.ready.set()
        return entry.program

    def tell_closed(self, program: Program) -> None:
        """Its diagnostics are taken back; whoever knows those of the disk may show them."""
        for listen in self.on_close:
            listen(program)

    def reanalyse(self) -> None:
        """Something outside of the texts changed (the configuration): analyse every open program again."""
        for key in list(self._entries):
            self.changed(key, by_edit=False)
        for listen in self.on_configuration:
            listen()
        self.refresh()

    def disk_changed(self, filenames: Collection[str]) -> None:
        """Files were written, made or deleted: analyse the open programs again that may depend on one that is not
        open."""
        changed = [one for one in filenames if not self.is_open(one)]
        importers = [key for key, entry in self._entries.items() if any(entry.may_depend_on(one) for one in changed)]
        for key in importers:
            self.changed(key, by_edit=False)
        for listen in self.on_disk:
            listen()
        if importers:
            self.refresh()

    def refresh(self) -> None:
        """Have a client that asks for diagnostics, hints and lenses ask again."""
        for name in self.client.refreshes:
            getattr(self.server, REFRESH[name])(None)

    def opened(self, key: str) -> dict[str, str]:
        """The newest texts of all open programs but `key`, by filename: they may not be on the disk yet."""
        return {one.program.filename: one.program.text for other, one in self._entries.items() if other != key}

    def importers_of(self, key: str) -> list[str]:
        """The other open programs that may depend on `key`."""
        entry = self._entries.get(key)
        name = entry.program.filename if entry else ""
        return [other for other, one in self._entries.items() if name and other != key and one.may_depend_on(name)]

    def filenames(self) -> list[str]:
        """The files of all open programs."""
        return [entry.program.filename for entry in self._entries.values()]

    def imported(self) -> set[str]:
        """The files that imports of open programs led to, and their model files."""
        folders = {folder for entry in self._entries.values() for folder in entry.models}
        return {path for result in self.results() for path in result.read}.union(places_of(tuple(folders)))

    def program_named(self, filename: str) -> Program | None:
        """The open program that is the file `filename`."""
        return next((one.program for one in self._entries.values() if one.program.filename == filename), None)

    def is_open(self, filename: str) -> bool:
        """Whether the editor has the file; then its text counts, not the disk's."""
        return self.program_named(filename) is not None

    def uris(self) -> list[str]:
        """The documents of all open programs."""
        return [part.uri for entry in self._entries.values() for part in entry.program.parts]

    def warn_once(self, message: str) -> None:
        """Tell the user, but not again with every keystroke."""
        if message not in self._warnings:
            log.warning("%s", message)
            self._warnings[message] = self._may_speak
            if self._may_speak:
                self._show(message)

    def say_late_warnings(self) -> None:
        """Before `initialized` a server has to be quiet; say now what there was to say."""
        self._may_speak = True
        for message, said in self._warnings.items():
            if not said:
                self._show(message)

    def _show(self, message: str) -> None:
        warning = types.MessageType.Warning
        self.server.window_show_message(types.ShowMessageParams(warning, f"inplace-lsp: {message}"))

    def results(self) -> Iterator[Result]:
        """The finished analyses of all open programs whose text has not changed since."""
        return (entry.result for entry in self._entries.values() if entry.result is not None)

    async def current(self, uri: str, seconds: float | None = None) -> Result | None:
        """The analysis of the newest text of `uri`, waited for if it is under way.

        None if it is not open, was closed or could not be analysed, or if it took longer than `seconds`.
        """
        program = program_of(self.server.workspace, uri)
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
        return newest.result if newest else None

    def proved(self, key: str) -> None:
        """There is a new proof about `key`: say again what is known about its newest text."""
        entry = self._entries.get(key)
        if entry is None or entry.result is None:
            return
        verified = self.proofs.held_against(key, entry.program.text)
        entry.result = replace(entry.result, verified=verified, answers={})
        for listen in self.on_result:
            listen(entry.result)
        self.refresh()

    def _finished(self, entry: Entry, future: asyncio.Future[Any]) -> None:
        if future.cancelled() or self._entries.get(entry.program.key) is not entry:
            return
        error = future.exception()
        if error is not None:
            log.error("%s could not be analysed: %s", entry.program.filename, error)
        checked = Checked(Analysis()) if error else future.result()
        if checked.problem:
            self.warn_once(checked.problem)
        verified = self.proofs.held_against(entry.program.key, entry.program.text)
        entry.result = Result(entry.program, checked.analysis, read=checked.read, verified=verified)
        entry.models = checked.models
        self.trace.tell(_told(entry))
        entry.ready.set()
        for listen in self.on_result:
            listen(entry.result)
        if entry.missed:
            self.refresh()


def _told(entry: Entry) -> str:
    program, found = entry.program, len(entry.result.analysis.findings) if entry.result else 0
    versions = ", ".join(str(part.version) for part in program.parts)
    took = (time.perf_counter() - entry.began) * 1000
    return f"{program.key} version {versions}: {found} finding{'s' * (found != 1)} in {took:.1f} ms"


def fixes_key(program: str) -> str:
    """What the keys of background jobs begin with that look for repairs in `program`."""
    return f"fixes of {program}\n"
