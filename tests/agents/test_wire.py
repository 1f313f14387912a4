"""What clients do that are no good ones: garbage on the wire, calls that are given up, a pipe that is closed."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import anyio
import pytest

from agents.client import COMMAND, FINE, HAZARD, ask, connected

FILES = 300
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}},
}


class Wire:
    """A server and its pipes."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [str(COMMAND), "mcp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def write(self, line: bytes) -> None:
        stdin = self.pipe(self.process.stdin)
        stdin.write(line + b"\n")
        stdin.flush()

    def send(self, **fields: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **fields}).encode())

    def answer(self, number: int) -> dict[str, Any]:
        """The answer to the request of that number; what comes before is passed over."""
        stdout = self.pipe(self.process.stdout)
        while True:
            told: dict[str, Any] = json.loads(stdout.readline())
            if told.get("id") == number:
                return told

    def pipe(self, pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None
        return pipe

    def close(self) -> tuple[int, str]:
        """Close the pipe to the server. Returns its exit status and what it said on stderr."""
        self.pipe(self.process.stdin).close()
        status = self.process.wait(20)
        return status, self.pipe(self.process.stderr).read().decode()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    (tmp_path / "train.py").write_text(HAZARD)
    wire = Wire(tmp_path)
    try:
        yield wire
    finally:
        wire.process.kill()
        wire.process.wait()


GARBAGE = (
    b"",
    b"Content-Length: 10",
    b"\xff\xfe\x00",
    b"{",
    b"[]",
    b"null",
    b'{"jsonrpc": "1.0"}',
    b'{"jsonrpc": "2.0", "id": [], "method": 3}',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 999}}',
    b'{"jsonrpc": "2.0", "id": 77, "result": {}}',
    b"[" * 100_000,
)


def test_garbage_is_passed_over(wire: Wire):
    for line in GARBAGE:
        wire.write(line)
    wire.write(json.dumps(INITIALIZE).encode())
    assert wire.answer(1)["result"]["serverInfo"]["name"] == "inplace-lsp"
    wire.send(method="notifications/initialized")
    for line in GARBAGE:
        wire.write(line)
    wire.send(id=2, method="tools/nothing")
    assert wire.answer(2)["error"]["code"] == -32601
    wire.send(id=3, method="tools/call", params={"name": 3})
    assert "error" in wire.answer(3)
    wire.send(id=4, method="tools/call", params={"name": "check", "arguments": ["train.py"]})
    assert "error" in wire.answer(4)
    wire.send(id=5, method="tools/call", params={"name": "check", "arguments": {"paths": ["train.py"]}})
    assert len(wire.answer(5)["result"]["structuredContent"]["findings"]) == 1
    status, said = wire.close()
    assert (status, "Traceback" in said) == (0, False), said


def test_a_client_that_goes_takes_the_work_along(wire: Wire, tmp_path: Path):
    make_project(tmp_path / "many")
    wire.write(json.dumps(INITIALIZE).encode())
    wire.answer(1)
    wire.send(method="notifications/initialized")
    wire.send(id=2, method="tools/call", params={"name": "check", "arguments": {"paths": [str(tmp_path / "many")]}})
    wait_until(lambda: bool(processes_with(tmp_path)))
    status, said = wire.close()
    assert (status, "Traceback" in said) == (0, False), said
    wait_until(lambda: not processes_with(tmp_path))


def make_project(folder: Path) -> None:
    """Many files, some of which take their time, and one hazard."""
    folder.mkdir()
    for number in range(FILES):
        steps = "".join(f"y = y * {step} + torch.sigmoid(y)\n" for step in range(number % 7))
        (folder / f"part_{number}.py").write_text(FINE.replace("y.add_(1)\n", "y.add_(1)\n" + steps))
    (folder / "train.py").write_text(HAZARD)


def processes_with(folder: Path) -> list[str]:
    """The processes that were given a path in the folder; of those of a pool, each."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word.startswith(os.fsencode(folder)) for word in words) and process.name != str(os.getpid()):
            found.append(process.name)
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 15
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="the processes are looked up in /proc")
async def test_a_call_that_is_given_up_ends_its_processes(tmp_path: Path):
    make_project(tmp_path / "many")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "fine.py").write_text(FINE)
    async with connected(tmp_path / "here") as client:
        with anyio.CancelScope() as scope:

            async def give_up(_done: float, _total: float | None, _words: str | None) -> None:
                scope.cancel()  # the check has begun, and most of it is left

            await client.call_tool("check", {"paths": [str(tmp_path / "many")]}, progress_callback=give_up)
        assert scope.cancelled_caught
        wait_until(lambda: not processes_with(tmp_path / "many"))
        assert (await ask(client, "check", paths=["fine.py"]))["checked"] == 1


DEAF = """\
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open("ran", "w").close()
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the processes are looked up in /proc")
@pytest.mark.parametrize(("tool", "argument"), [("trace", "script"), ("verify", "filename")])
async def test_a_run_that_is_given_up_ends_though_it_does_not_listen(tmp_path: Path, tool: str, argument: str):
    (tmp_path / "deaf.py").write_text(DEAF)

    def runs() -> bool:
        """Whether there are the server, the command, and what that has started."""
        return len(processes_of(tmp_path)) > 2 and (tool == "verify" or (tmp_path / "ran").exists())

    async with connected(tmp_path, "--allow-run", TEST_FOLDER=str(tmp_path)) as client:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(cancel_when, runs, scope)
                await ask(client, tool, **{argument: "deaf.py"})
        assert scope.cancelled_caught
        wait_until(lambda: len(processes_of(tmp_path)) == 1)


async def cancel_when(holds: Callable[[], bool], scope: anyio.CancelScope) -> None:
    while not holds():
        await anyio.sleep(0.05)
    scope.cancel()


def processes_of(folder: Path) -> list[Path]:
    """The processes that have this folder in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"TEST_FOLDER={folder}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append(process)
    return found


async def test_a_project_of_300_files_tells_how_far_it_is(tmp_path: Path):
    make_project(tmp_path / "many")
    told: list[tuple[float, float | None, str | None]] = []

    async def show(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    async with connected(tmp_path) as client:
        result = await client.call_tool("check", {"paths": ["many"]}, progress_callback=show)
    assert (result.structured_content["checked"], len(result.structured_content["findings"])) == (FILES + 1, 1)
    done = [each[0] for each in told]
    assert len(done) > 1
    assert done == sorted(set(done))
    assert {each[1] for each in told} == {FILES + 1}
    assert told[-1][2] == f"{int(done[-1])} of {FILES + 1} files"


HOSTILE = "inplace_lsp/__init__ json click mcp/__init__ anyio runpy sitecustomize torch".split()


async def test_nothing_that_lies_in_the_folder_is_executed(tmp_path: Path):
    mark = tmp_path / "executed"
    folder = tmp_path / "workspace"
    for name in HOSTILE:
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"open({str(mark)!r}, 'a').write({name!r})\nraise SystemExit\n")
    (folder / "train.py").write_text(HAZARD)
    async with connected(folder) as client:
        answer = await ask(client, "check", paths=["train.py"])
        await ask(client, "explain", code="IP101")
    assert [finding["code"] for finding in answer["findings"]] == ["IP101"]
    assert not mark.exists()
