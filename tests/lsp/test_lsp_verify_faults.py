"""Verifying beside everything else: it stops when the user says so, waits its turn, and takes nobody along."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections import defaultdict
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from lsp.editor import Editor
from lsp.verifying import COMMAND, ENDLESS, HAZARD, TRUSTED, said, verify

pytestmark = pytest.mark.xdist_group("lsp-verify-faults")
PATIENT = {**TRUSTED, "verifyTimeout": 100}
"""What runs so long has to be stopped by hand."""
MEANWHILE = 50.0
"""Seconds; what waits for the run takes longer. A second is usual, but the machine may be slow and busy."""


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "program.py").as_uri()


def started_by(process: int) -> list[int]:
    """The processes that `process` has started, and those that these have, outer ones first."""
    return [pid for pid, _ in _descendants(process)]


def _descendants(process: int) -> list[tuple[int, int]]:
    """The processes below `process`, outer ones first, each with the number of steps that it lies below."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    children: dict[int, list[int]] = defaultdict(list)
    for pid, parent, state in map(str.split, listed.splitlines()):
        if not state.startswith("Z"):
            children[int(parent)].append(int(pid))
    found = [(process, 0)]
    for outer, depth in found:
        found += [(pid, depth + 1) for pid in children[outer]]
    return found[1:]


async def gone(processes: list[int]) -> bool:
    """Whether they all end before a run does by itself."""
    for _ in range(300):
        listed = subprocess.run(["ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True, check=True).stdout
        alive = {int(pid) for pid, state in map(str.split, listed.splitlines()) if not state.startswith("Z")}
        if alive.isdisjoint(processes):
            return True
        await asyncio.sleep(0.1)
    return False


async def until_it_spins(editor: Editor) -> list[int]:
    """Wait until the worker has started a run; all processes of the server."""
    for _ in range(1800):
        below = _descendants(editor.client._server.pid)
        if any(depth > 1 for _, depth in below):
            return [pid for pid, _ in below]
        await asyncio.sleep(0.1)
    raise AssertionError("nothing was run")


async def test_the_progress_can_be_cancelled_and_nothing_waits_meanwhile(start, uri):
    editor = await start(initialization_options=PATIENT)
    editor.open(uri, ENDLESS)
    other = uri.replace("program", "other")
    editor.open(other, HAZARD)
    asked = asyncio.ensure_future(verify(editor, uri, 5))
    await until_it_spins(editor)
    begun = editor.progress[0]
    assert (begun.value["title"], begun.value["cancellable"]) == ("Verifying `spin`", True)

    began = time.monotonic()
    editor.replace(other, 0, 0, "# new\n")
    assert [diagnostic.range.start.line for diagnostic in await editor.diagnostics(other)] == [6]
    assert "saved-tensor-modified" in await editor.hover(other, editor.texts[other].index("add_"))
    assert time.monotonic() - began < MEANWHILE

    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(begun.token))
    assert await asyncio.wait_for(asked, MEANWHILE) is None
    assert said(editor) == "inplace-lsp: Verifying `spin` was cancelled."
    kinds = [report.value["kind"] for report in editor.progress]
    assert (kinds[0], set(kinds[1:-1]) <= {"report"}, kinds[-1]) == ("begin", True, "end")
    assert (await verify(editor, other, 5)).verdict == "confirmed"


async def test_the_request_can_be_cancelled_and_brings_its_own_token(start, uri):
    editor = await start(initialization_options=PATIENT)
    editor.open(uri, ENDLESS)
    params = types.ExecuteCommandParams(COMMAND, [uri, 5], work_done_token="mine")
    asked = editor.client.protocol.send_request("workspace/executeCommand", params, msg_id="run")
    await until_it_spins(editor)
    assert {report.token for report in editor.progress} == {"mine"}
    editor.client.cancel_request(types.CancelParams("run"))
    with pytest.raises(JsonRpcRequestCancelled):
        await asyncio.wait_for(asyncio.wrap_future(asked), MEANWHILE)
    await editor.until(lambda: editor.progress[-1].value["kind"] == "end")
    editor.replace(uri, 0, len(ENDLESS), HAZARD)
    assert (await verify(editor, uri, 5)).verdict == "confirmed"


async def test_runs_wait_for_each_other_and_a_waiting_one_can_be_cancelled(start, uri):
    editor = await start(initialization_options=PATIENT)
    editor.open(uri, ENDLESS)
    other = uri.replace("program", "other")
    editor.open(other, HAZARD)
    first = asyncio.ensure_future(verify(editor, uri, 5, "first"))
    await until_it_spins(editor)
    second = asyncio.ensure_future(verify(editor, other, 5, "second"))
    third = asyncio.ensure_future(verify(editor, other, 5, "third"))
    await editor.until(lambda: {report.token for report in editor.progress} == {"first", "second", "third"})
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams("second"))
    assert await asyncio.wait_for(second, MEANWHILE) is None
    assert not (first.done() or third.done())
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams("first"))
    assert await asyncio.wait_for(first, MEANWHILE) is None
    assert (await third).verdict == "confirmed"


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("import os; os._exit(3)", "exit"),
        ("import ctypes; ctypes.string_at(0)", "segmentation fault"),
        ("import os, sys; print('x' * 100); os.close(1); sys.exit(4)", "Bad file descriptor"),
        ("raise KeyError('mine')", "KeyError: 'mine'"),
    ],
)
async def test_what_the_code_does_to_itself_is_inconclusive(share, uri, deed, words):
    text = HAZARD.replace("    y.add_(1)", f"    {deed}").replace("def loss", "# inplace: verify(x=rand(3))\ndef loss")
    editor = await share(initialization_options=TRUSTED)
    editor.open(uri, text)
    answer = await verify(editor, uri, 5)
    assert (answer.verdict, words in answer.reason) == ("inconclusive", True), answer.reason
    editor.replace(uri, 0, len(text), HAZARD)
    assert (await verify(editor, uri, 5)).verdict == "confirmed"


async def test_an_endless_loop_ends_at_the_deadline_that_was_set(start, uri):
    editor = await start(initialization_options={**TRUSTED, "verifyTimeout": 1})
    editor.open(uri, ENDLESS)
    answer = await verify(editor, uri, 5)
    assert answer.verdict == "inconclusive"
    assert "was ended" in answer.reason or "was still running" in answer.reason, answer.reason


async def test_a_worker_that_is_killed_is_started_again(share, uri):
    editor = await share(initialization_options=TRUSTED)
    editor.open(uri, HAZARD)
    assert (await verify(editor, uri, 5)).verdict == "confirmed"
    for worker in started_by(editor.client._server.pid):
        os.kill(worker, signal.SIGKILL)
    assert (await verify(editor, uri, 5)).verdict == "confirmed"


@pytest.mark.parametrize("how", ["exit", "kill"])
async def test_what_was_started_ends_with_the_server(start, uri, how):
    editor = await start(initialization_options=PATIENT)
    editor.open(uri, ENDLESS)
    asked = asyncio.ensure_future(verify(editor, uri, 5))
    left = await until_it_spins(editor)
    if how == "exit":
        assert await editor.stop() == 0
    else:
        os.kill(editor.client._server.pid, signal.SIGKILL)
        await editor.client._server.wait()
    assert await gone(left)
    asked.cancel()


@pytest.mark.parametrize("how", ["cancel", "exit"])
async def test_an_interpreter_that_never_answers_is_given_up(start, uri, tmp_path, how):
    deaf = tmp_path / "deaf"
    deaf.write_text("#!/bin/sh\nexec sleep 1000\n")
    deaf.chmod(0o755)
    editor = await start(initialization_options={**PATIENT, "interpreter": str(deaf)})
    editor.open(uri, HAZARD)
    asked = asyncio.ensure_future(verify(editor, uri, 5, "mine"))
    while not (left := started_by(editor.client._server.pid)):
        await asyncio.sleep(0.1)
    if how == "exit":
        assert await editor.stop() == 0
        assert await gone(left)
        asked.cancel()
        return
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams("mine"))
    assert await asyncio.wait_for(asked, MEANWHILE) is None
    editor.client.protocol.notify("inplace/didChangeInterpreter", {"interpreter": TRUSTED["interpreter"]})
    assert (await verify(editor, uri, 5)).verdict == "confirmed"
    assert await gone(left)
