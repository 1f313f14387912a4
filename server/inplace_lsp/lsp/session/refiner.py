"""Refine the first answer by types that jedi infers, in a process of its own, when typing pauses.

The analysis never waits for them. If they are new, the program is analysed again with them. While edits change no type,
as is usual, jedi is asked less and less often.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, NamedTuple

from inplace_lsp.analysis import Cause
from inplace_lsp.facts.inferred_types import KNOWN
from inplace_lsp.facts.modules import Modules
from inplace_lsp.interpret.state.facts import Kind, ParameterQuestion
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.workspace.children import kill_child, start_child

if TYPE_CHECKING:
    from inplace_lsp.lsp.session.reanalysis import Reanalysis

log = logging.getLogger(__name__)
CHILD = "inplace_lsp.facts"
PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
"""Maximum seconds of a pause in typing before jedi is asked; the pause doubles after each answer without news."""
PATIENCE_SECONDS = 60.0
IDLE_SECONDS = 30.0
"""Seconds after which jedi's idle process is ended: it is larger than the server itself."""


class _Asked(NamedTuple):
    """A question: the wanted types, the code, and the lines that are not only comments, since jedi reads docstrings."""

    wanted: tuple[ParameterQuestion, ...]
    code: tuple[object, ...]
    lines: tuple[str, ...]


class Refiner:
    """Asks about one program at a time, the newest first. It asks again if the code has changed: blank lines, comments
    and half-typed statements do not count."""

    def __init__(self, session: Reanalysis) -> None:
        self._session = session
        self._waiting: dict[str, Result] = {}
        self._asked: dict[str, _Asked] = {}
        self._pauses: dict[str, float] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._busy = False
        self._timer: asyncio.TimerHandle | None = None
        self._end: asyncio.TimerHandle | None = None

    def note_result(self, result: Result) -> None:
        """Ask for the types that an analysis lacked, once the user pauses."""
        key, wanted = result.program.key, result.analysis.wanted
        if not wanted or (key in self._asked and _is_asked_again(result, self._asked[key])):
            self._waiting.pop(key, None)
            return
        self._waiting[key] = result
        if self._timer is not None:
            self._timer.cancel()
        pause = min(self._find_pause(*waiting) for waiting in self._waiting.items())
        self._timer = asyncio.get_running_loop().call_later(pause, self._start_asking)

    def _find_pause(self, key: str, result: Result) -> float:
        """Return how long to wait before a question: longer if recent edits did not change the answers."""
        asks_the_same = key in self._asked and self._asked[key].wanted == result.analysis.wanted
        return self._pauses.get(key, PAUSE_SECONDS) if asks_the_same else PAUSE_SECONDS

    def _start_asking(self) -> None:
        if not self._busy and self._waiting:
            self._busy = True
            self._session.run_beside(self._ask_all())

    async def _ask_all(self) -> None:
        try:
            while self._waiting:
                key, result = self._waiting.popitem()
                self._asked[key] = _describe_question(result)
                found = await self._ask_types(result)
                is_new = KNOWN.learn_types(result.program.filename, found)
                longer = min(2 * self._pauses.get(key, PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)
                self._pauses[key] = PAUSE_SECONDS if is_new else longer
                if is_new and self._is_current(result):
                    self._session.analyse_document(result.program.parts[0].uri, by_edit=False)
                    self._session.refresh_client()
        except (OSError, ValueError, asyncio.TimeoutError) as error:
            log.warning("types cannot be inferred: %s", error or "no answer in time")
            self._kill_process()
        finally:
            self._busy = False
            self._end_when_idle()

    def _end_when_idle(self) -> None:
        if self._end is not None:
            self._end.cancel()
        self._end = asyncio.get_running_loop().call_later(
            IDLE_SECONDS, lambda: None if self._busy else self._kill_process()
        )

    def _is_current(self, result: Result) -> bool:
        return any(newest.program is result.program for newest in self._session.finished_results())

    async def _ask_types(self, result: Result) -> dict[ParameterQuestion, Kind]:
        process = await self._find_process()
        assert process.stdin is not None
        assert process.stdout is not None
        file = result.program.filename
        questions = [[request.function, request.name] for request in result.analysis.wanted]
        facts = result.analysis.facts
        python = facts.python if isinstance(facts, Modules) else ""
        line = json.dumps({"file": file, "text": result.program.text, "questions": questions, "python": python})
        process.stdin.write(line.encode() + b"\n")
        await process.stdin.drain()
        answer = await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS)
        return {ParameterQuestion(file, function, name): kind for function, name, kind in json.loads(answer)}

    async def _find_process(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await start_child(CHILD, quiet=True)
        return self._process

    def _kill_process(self) -> None:
        if self._process is not None:
            kill_child(self._process)
        self._process = None


def _describe_question(result: Result) -> _Asked:
    """Return the question about a program."""
    lines = (line.strip() for line in result.program.text.split("\n"))
    read = tuple(line for line in lines if line and not line.startswith("#"))
    return _Asked(result.analysis.wanted, result.analysis.code, read)


def _is_asked_again(result: Result, asked: _Asked) -> bool:
    """Return whether jedi would answer as it did."""
    now = _describe_question(result)
    half_typed = any(gap.cause is Cause.SYNTAX for gap in result.analysis.gaps)
    return now.wanted == asked.wanted and (now.lines == asked.lines or (half_typed and now.code == asked.code))
