"""Many verdicts: tasks that any `concurrent.futures.Executor` can run, in the order in which they are done.

A task and its answer are plain data, so that they can travel to other processes and machines. What was judged once is
kept by a hash of all that the verdict depends on in the file, and not run again.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from inplace_lsp import engine
from inplace_lsp.environments.find import locate_from_here
from inplace_lsp.files.read import UnreadableError, read_source_file
from inplace_lsp.verify import interpreter
from inplace_lsp.verify.as_json import VerdictJson, as_json
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.compare import facts_about
from inplace_lsp.verify.launch import Launch, LaunchError
from inplace_lsp.verify.options import DeviceError, Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import Target, TargetError, target_at_line
from inplace_lsp.verify.verdict import tell_reason


@dataclass(frozen=True, slots=True)
class Task:
    """One definition to verify, how, and by which worker."""

    subject: Subject
    launch: Launch
    options: Options = field(default_factory=Options)

    def key(self) -> str:
        """Return a hash of the file's text, the definition and the way it is run."""
        known = [self.subject.text, self.subject.filename, self.subject.target.name]
        how = [asdict(self.options), [*self.launch.command, self.launch.python]]
        return hashlib.sha256(json.dumps([known, how], sort_keys=True).encode("utf-8", "replace")).hexdigest()


def tasks_of(text: str, filename: str, launch: Launch, options: Options, python: str = "") -> list[Task]:
    """Return a task for every definition with findings, the module itself included. `python`: the environment that the
    user names, if any.

    Raises TargetError for a text that does not parse.
    """
    analysis = engine.analyse_source(text, filename, facts_about(filename, python))
    rows = (finding.span.row for finding in analysis.findings if finding.span.file == filename)
    wanted: dict[Target, None] = dict.fromkeys(target_at_line(text, row) for row in rows)
    return [Task(Subject(text, filename, target, python=python), launch, options) for target in wanted]


@dataclass(frozen=True, slots=True)
class Search:
    """A file in which to find what there is to verify. `python` and `launch` are the user's options."""

    filename: str
    python: str | None
    launch: str
    options: Options

    def tasks(self) -> list[Task]:
        """Return the tasks in the file. Raises UnreadableError, TargetError, LaunchError."""
        launch = Launch.parse(interpreter.choose_interpreter(self.filename, self.python), self.launch)
        text, python = read_source_file(self.filename), locate_from_here(self.python)
        return tasks_of(text, self.filename, launch, self.options, python)


@dataclass(frozen=True, slots=True)
class FoundTasks:
    """What a search has found; `problem`: why the file could not be looked at, "" if it could."""

    filename: str
    tasks: tuple[Task, ...] = ()
    problem: str = ""


def search_file(where: Search) -> FoundTasks:
    """Find what there is to verify in a file. Raises only KeyboardInterrupt."""
    try:
        return FoundTasks(where.filename, tuple(where.tasks()))
    except (UnreadableError, TargetError, LaunchError) as error:
        return FoundTasks(where.filename, problem=str(error))


def prove_task(task: Task) -> VerdictJson:
    """Return the verdict of a task as JSON, with its `filename`. Raises only KeyboardInterrupt."""
    try:
        verdict = as_json(verify(task.subject, _client_of_thread(task.launch), task.options))
    except (LaunchError, DeviceError, TargetError) as error:
        return _inconclusive_verdict(task, str(error))
    finally:
        _end_when_idle(task.launch)
    return {"filename": task.subject.filename, **verdict}


def _inconclusive_verdict(task: Task, why: str) -> VerdictJson:
    name = task.subject.target.name
    reason = tell_reason("inconclusive", why)
    return {"filename": task.subject.filename, "function": name, "verdict": "inconclusive", "reason": reason}


def prove_all(
    tasks: Iterable[Task], executor: Executor, state: StoredVerdicts, lost: tuple[type[BaseException], ...] = ()
) -> Iterator[VerdictJson]:
    """Yield the verdicts of all tasks: first those that `state` knows, then the others as they come.

    `lost`: what the executor's futures end with where the machine that ran a task is gone for good.
    """
    with _UnderWay(executor, state, lost) as under_way:
        for task in tasks:
            yield from under_way.begin(task)
        yield from under_way.verdicts()


def prove_files(
    searches: Iterable[Search],
    executor: Executor,
    state: StoredVerdicts,
    lost: tuple[type[BaseException], ...] = (),
    report: Callable[[str, str], None] = lambda filename, why: None,
) -> Iterator[VerdictJson]:
    """As `prove_all`, of all that there is to verify in these files, which the executor looks into as well.

    `report` is told of each file that cannot be looked at, and why.
    """
    with _UnderWay(executor, state, lost, report) as under_way:
        for where in searches:
            under_way.look_into(where)
        yield from under_way.verdicts()


class _UnderWay:
    """Searches and tasks that were given to an executor. What has not begun is taken back in the end."""

    def __init__(
        self,
        executor: Executor,
        state: StoredVerdicts,
        lost: tuple[type[BaseException], ...],
        report: Callable[[str, str], None] = lambda filename, why: None,
    ) -> None:
        self._executor, self._state, self._lost, self._report = executor, state, lost, report
        self._waiting: dict[Future[Any], Task | Search] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()

    def __enter__(self) -> _UnderWay:
        return self

    def __exit__(self, *_: object) -> None:
        for future in self._waiting:
            future.cancel()

    def look_into(self, where: Search) -> None:
        """Submit a search."""
        self._submit_unit(search_file, where)

    def begin(self, task: Task) -> Iterator[VerdictJson]:
        """Yield the verdict if it is known; else submit the task."""
        known = self._state.find_verdict(task)
        if known is not None:
            yield known
        else:
            self._submit_unit(prove_task, task)

    def verdicts(self) -> Iterator[VerdictJson]:
        """Yield the verdicts as they come, until nothing is under way."""
        while self._waiting:
            future = self._done.get()
            unit = self._waiting.pop(future)
            if isinstance(unit, Search):
                yield from self._begin_found_tasks(unit, future)
            else:
                yield from self._store_verdict(unit, future)

    def _submit_unit(self, work: Callable[[Any], Any], unit: Task | Search) -> None:
        future = self._executor.submit(work, unit)
        self._waiting[future] = unit
        future.add_done_callback(self._done.put)

    def _begin_found_tasks(self, where: Search, future: Future[FoundTasks]) -> Iterator[VerdictJson]:
        try:
            found = future.result()
        except self._lost:
            found = FoundTasks(where.filename, problem=LOST)
        if found.problem:
            self._report(where.filename, found.problem)
        for task in found.tasks:
            yield from self.begin(task)

    def _store_verdict(self, task: Task, future: Future[VerdictJson]) -> Iterator[VerdictJson]:
        try:
            verdict = future.result()
        except self._lost:
            yield _inconclusive_verdict(task, LOST)
        else:
            self._state.keep(task, verdict)
            yield verdict


LOST = "the workers that should do it died, one after the other"


class StateError(Exception):
    """Verdicts cannot be kept in that file; the message says why."""


@contextmanager
def _require_usable(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it contains something other than verdicts"
        raise StateError(f"verdicts cannot be kept in {file}: {why}") from None


class StoredVerdicts:
    """The verdicts so far, a line of JSON each, in a file that is only ever added to. Without a file nothing is kept.

    What is inconclusive is not kept: it may go better the next time. A line that is cut off is passed over.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Raise StateError if `file` cannot be read and written."""
        self._file = file
        self._known: dict[str, VerdictJson] = {}
        if file is not None:
            with _require_usable(file):
                file.touch()
                for line in file.read_text(encoding="utf-8").splitlines():
                    self._read_line(line)

    def find_verdict(self, task: Task) -> VerdictJson | None:
        """Return the verdict of this very task, if there is one."""
        return self._known.get(task.key())

    def keep(self, task: Task, verdict: VerdictJson) -> None:
        """Add a verdict. Raises StateError if it cannot be written."""
        if self._file is not None and verdict["verdict"] != "inconclusive":
            with _require_usable(self._file), self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": task.key(), "verdict": verdict}) + "\n")

    def _read_line(self, line: str) -> None:
        try:
            entry = json.loads(line)
            self._known[entry["key"]] = entry["verdict"]
        except (ValueError, KeyError, TypeError):
            return


IDLE_SECONDS = 60.0
"""A worker that nobody has asked for so long ends: the processes of an engine outlive the run that started it."""


class _Local(threading.local):
    """A worker for every thread, so that as many run side by side as the executor has threads or processes.

    An engine that gives a task GPUs tells which by a variable that a worker reads when it starts.
    """

    def __init__(self) -> None:
        self.clients: dict[tuple[Launch, str], Client] = {}
        self.clocks: dict[Client, threading.Timer] = {}


_local = _Local()
_all: list[Client] = []


def _key_of(launch: Launch) -> tuple[Launch, str]:
    return launch, os.environ.get("CUDA_VISIBLE_DEVICES", "")


def _client_of_thread(launch: Launch) -> Client:
    key = _key_of(launch)
    if key not in _local.clients:
        _local.clients[key] = Client(launch)
        _all.append(_local.clients[key])
    return _local.clients[key]


def _end_when_idle(launch: Launch) -> None:
    """End the worker of this thread in a while, unless it is asked again; it would start anew."""
    client = _client_of_thread(launch)
    if client in _local.clocks:
        _local.clocks[client].cancel()
    clock = _local.clocks[client] = threading.Timer(IDLE_SECONDS, client.close)
    clock.daemon = True
    clock.start()


def close_clients() -> None:
    """End the workers that this process has started. (Those of other processes end with them.)"""
    while _all:
        _all.pop().close()
    _local.clients.clear()
