"""Many verdicts: tasks that any `concurrent.futures.Executor` can run, in the order in which they are done.

A task and its answer are plain data, so that they can travel to other processes and machines. What was judged once is
kept by a hash of all that the verdict depends on in the file, and not run again.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from inplace_lsp import engine
from inplace_lsp.verify.as_json import as_json
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.compare import facts_about
from inplace_lsp.verify.launch import Launch, LaunchError
from inplace_lsp.verify.options import DeviceError, Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import Target, TargetError, at_line


@dataclass(frozen=True, slots=True)
class Task:
    """One definition to verify, how, and by which worker."""

    subject: Subject
    launch: Launch
    options: Options = field(default_factory=Options)

    def key(self) -> str:
        """A hash of the file's text, the definition and the way it is run."""
        known = [self.subject.text, self.subject.filename, self.subject.target.name]
        how = [asdict(self.options), [*self.launch.command, self.launch.python]]
        return hashlib.sha256(json.dumps([known, how], sort_keys=True).encode("utf-8", "replace")).hexdigest()


def tasks_of(text: str, filename: str, launch: Launch, options: Options) -> list[Task]:
    """A task for every definition in which the analysis finds something, the module itself included.

    Raises TargetError for a text that does not parse.
    """
    analysis = engine.analyse(text, filename, facts_about(filename))
    rows = (one.span.row for one in analysis.findings if one.span.file == filename)
    wanted: dict[Target, None] = dict.fromkeys(at_line(text, row) for row in rows)
    return [Task(Subject(text, filename, target), launch, options) for target in wanted]


def prove(task: Task) -> dict[str, Any]:
    """The verdict of one task as JSON, with its `filename`. Never raises but for an interrupt."""
    try:
        verdict = as_json(verify(task.subject, _client(task.launch), task.options))
    except (LaunchError, DeviceError, TargetError) as error:
        verdict = {"function": task.subject.target.name, "verdict": "inconclusive", "reason": f"inconclusive: {error}"}
    return {"filename": task.subject.filename, **verdict}


def prove_all(tasks: Iterable[Task], executor: Executor, state: State) -> Iterator[dict[str, Any]]:
    """The verdicts of all tasks: first those that `state` knows, then the others as they come."""
    waiting = {}
    for task in tasks:
        known = state.known(task)
        if known is not None:
            yield known
        else:
            waiting[executor.submit(prove, task)] = task
    try:
        for done in as_completed(waiting):
            verdict = done.result()
            state.keep(waiting[done], verdict)
            yield verdict
    finally:
        for one in waiting:
            one.cancel()


class StateError(Exception):
    """Verdicts cannot be kept in that file; the message says why."""


@contextmanager
def _usable(file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it holds other things than verdicts"
        raise StateError(f"verdicts cannot be kept in {file}: {why}") from None


class State:
    """The verdicts so far, a line of JSON each, in a file that is only ever added to. Without a file nothing is kept.

    What is inconclusive is not kept: it may go better the next time. A line that is cut off is passed over.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Raises StateError if `file` cannot be read and written."""
        self._file = file
        self._known: dict[str, dict[str, Any]] = {}
        if file is not None:
            with _usable(file):
                file.touch()
                for line in file.read_text(encoding="utf-8").splitlines():
                    self._learn(line)

    def known(self, task: Task) -> dict[str, Any] | None:
        """The verdict of this very task, if there is one."""
        return self._known.get(task.key())

    def keep(self, task: Task, verdict: dict[str, Any]) -> None:
        """Add a verdict. Raises StateError if it cannot be written."""
        if self._file is not None and verdict["verdict"] != "inconclusive":
            with _usable(self._file), self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": task.key(), "verdict": verdict}) + "\n")

    def _learn(self, line: str) -> None:
        try:
            entry = json.loads(line)
            self._known[entry["key"]] = entry["verdict"]
        except (ValueError, KeyError, TypeError):
            return


class _Local(threading.local):
    """A worker for every thread, so that as many run side by side as the executor has threads or processes."""

    def __init__(self) -> None:
        self.clients: dict[Launch, Client] = {}


_local = _Local()
_all: list[Client] = []


def _client(launch: Launch) -> Client:
    if launch not in _local.clients:
        _local.clients[launch] = Client(launch)
        _all.append(_local.clients[launch])
    return _local.clients[launch]


def close() -> None:
    """End the workers that this process has started. (Those of other processes end with them.)"""
    while _all:
        _all.pop().close()
    _local.clients.clear()
