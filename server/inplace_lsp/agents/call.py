"""One call of the command line on behalf of an agent: a process of its own, which a cancelled call takes along."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from subprocess import PIPE
from typing import Any

import anyio
from anyio.abc import Process

from inplace_lsp.isolated import command_of

Json = Mapping[str, Any]
"""An answer of the command line; `schemas` says what is in it."""
ShowProgress = Callable[[float, float], Awaitable[None]]
"""Takes how many files are done, and of how many."""

GRACE_SECONDS = 2.0
"""The time that a process has to end its own children before it is killed."""
_HEADS = ("inplace-lsp: ", "Error: ")
_USAGE = ("Usage: ", "Try '")
"""How the lines begin in which click says how to call a command: an agent does not call it."""


class CallError(Exception):
    """The call cannot be answered; the message is a sentence that says why."""


@dataclass(slots=True)
class Called:
    """What came of a call: its exit status, what it wrote, and the problems that it named."""

    status: int = 0
    output: str = ""
    log: str = ""
    problems: list[str] = field(default_factory=list)

    def read_json(self) -> Json:
        """Return the answer. Raises CallError, with the problems, if there is none."""
        try:
            answer: Json = json.loads(self.output)
        except ValueError:
            raise CallError(self.describe_failure()) from None
        return answer

    def describe_failure(self) -> str:
        """Say in a sentence why there is no answer."""
        said = "; ".join(self.problems)
        return said or f"inplace-lsp ended with status {self.status} and said nothing"


async def call_command(*words: str, text: str = "", show: ShowProgress | None = None) -> Called:
    """Run `inplace-lsp` with `words` and `text` as its input. Raises CallError if no process can be started."""
    try:
        process = await anyio.open_process(
            command_of("inplace_lsp", *words), stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
    except OSError as error:
        raise CallError(f"no process can be started: {error.strerror or error}") from None
    called = Called()
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_write_input, process, text)
            group.start_soon(_read_output, process, called)
            group.start_soon(_read_log, process, called, show)
        called.status = await process.wait()
    finally:
        with anyio.CancelScope(shield=True):
            await _end_process(process)
    return called


async def _write_input(process: Process, text: str) -> None:
    assert process.stdin is not None
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # it needs no input to fail
        await process.stdin.send(text.encode("utf-8", "surrogatepass"))
    await process.stdin.aclose()


async def _read_output(process: Process, called: Called) -> None:
    assert process.stdout is not None
    pieces = [piece async for piece in process.stdout]
    called.output = b"".join(pieces).decode(errors="replace")


async def _read_log(process: Process, called: Called, show: ShowProgress | None) -> None:
    """Read stderr: progress is shown, the rest is what the user of a terminal would read."""
    assert process.stderr is not None
    rest = b""
    async for piece in process.stderr:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            await _take_line(line.decode(errors="replace").rstrip(), called, show)
    await _take_line(rest.decode(errors="replace"), called, show)


async def _take_line(line: str, called: Called, show: ShowProgress | None) -> None:
    done = _read_progress(line)
    if done is not None:
        if show is not None:
            await show(*done)
        return
    called.log += f"{line}\n"
    if line and not line.startswith(_USAGE):
        called.problems.append(_without_head(line))


def _read_progress(line: str) -> tuple[float, float] | None:
    if not line.startswith('{"done"'):
        return None
    try:
        progress = json.loads(line)
        return float(progress["done"]), float(progress["total"])
    except (ValueError, KeyError, TypeError):
        return None


def _without_head(line: str) -> str:
    return next((line.removeprefix(head) for head in _HEADS if line.startswith(head)), line)


async def _end_process(process: Process) -> None:
    """End a process that is not wanted any more, and with it those that it has started: it does so itself when it is
    asked to, unless one of them does not listen."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        with anyio.move_on_after(GRACE_SECONDS):
            await process.wait()
        _kill_group(process)
    await process.aclose()


def _kill_group(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
