"""Watch what this process does with torch, and explain the in-place errors that come of it."""

from __future__ import annotations

import linecache
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.tape.model import Tape

if TYPE_CHECKING:
    from inplace_lsp.worker.script.watch import Watch


class Lines(dict[str, list[str]]):
    """The lines of files and of cells, as Python itself finds them for its tracebacks."""

    def __missing__(self, filename: str) -> list[str]:
        self[filename] = linecache.getlines(filename)
        return self[filename]


class Watching:
    """Watches from `start` to `stop`, any number of times, until `end`; till then also the walks through graphs that
    were made meanwhile. `unseen`: the lines that started what cannot be watched."""

    def __init__(self) -> None:
        self.unseen: dict[tuple[str, int], None] = {}
        self._watch: Watch | None = None
        self._walks = ExitStack()
        self._calls = ExitStack()
        self.is_on = False

    def start_watching(self) -> None:
        """Watch this thread, and those that it starts, from now on. Raises ImportError where torch cannot be loaded."""
        if self.is_on:
            return
        os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")  # read when torch first compiles something
        watch = self._watch or self._start_watch()
        _run_uncompiled(self._calls)
        self._calls.enter_context(watch.watch_calls())
        self.is_on = True

    @property
    def has_started(self) -> bool:
        """Return whether anything was watched since the beginning, or the last `end_watching`."""
        return self._watch is not None

    def stop_watching(self) -> None:
        """Stop watching the calls made from now on."""
        self._calls.close()
        self.is_on = False

    def end_watching(self) -> None:
        """Restore torch to what it was."""
        self.stop_watching()
        self._walks.close()
        self._watch = None

    def _start_watch(self) -> Watch:
        from inplace_lsp.worker.script.watch import Watch  # noqa: PLC0415  (loads torch)

        self._watch = watch = Watch(unseen=self.unseen)
        self._walks.enter_context(watch.watch_walks())
        return watch


def _run_uncompiled(opened: ExitStack) -> None:
    """Let what torch has compiled already run as it is written: compiled code would run past the recorder."""
    set_stance = getattr(sys.modules.get("torch.compiler"), "set_stance", None)  # since torch 2.6
    if set_stance is not None and "torch._dynamo" in sys.modules:
        opened.enter_context(set_stance("force_eager"))


def hide_recorder(error: BaseException) -> None:
    """Remove the frames from the traceback that are there only because of us."""
    from inplace_lsp.worker.script.own_frames import clean_tracebacks  # noqa: PLC0415  (loads torch)

    clean_tracebacks(error)


def tape_behind(error: BaseException) -> Tape | None:
    """Return the tape that explains `error`, None if it is no in-place error or nothing was seen of it."""
    from inplace_lsp.worker.script.carried_tape import find_tape  # noqa: PLC0415

    return find_tape(error)


def describe_tape(tape: Tape, lines: Sources) -> str:
    """Return the trace as text, under the name of the file that its lines are of."""
    from inplace_lsp.report.trace_text import trace_text  # noqa: PLC0415  (only for an error)

    text = f"In {tape.events[-1].span.file}:\n{trace_text(tape, lines, origin='observed')}"
    return text.replace(os.getcwd() + os.sep, "")


def describe_missing(error: BaseException, watching: Watching) -> str:
    """Return why there is no trace of an error about a write in place, "" for other errors."""
    from inplace_lsp.report.unrecorded_write import describe_unseen  # noqa: PLC0415

    return describe_unseen(str(error), watching.unseen) if isinstance(error, RuntimeError) else ""
