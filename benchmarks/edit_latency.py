"""How long language servers take from a one-character edit to fresh diagnostics.

    pip install -e '.[bench]'
    python benchmarks/edit_latency.py FILE --edits 200
    python benchmarks/edit_latency.py FILE --server 'NAME=COMMAND' --server ...

Without `--server`, inplace-lsp is measured beside ruff, ty, pyrefly and basedpyright, those of them that are installed.
Any server that speaks LSP over stdio can be. Every server gets the same file and the same edits (a letter typed behind
a random word, then taken back), one at a time: the next edit is made when the diagnostics of the last one have come.
The servers take turns edit by edit, so that whatever else the machine does meanwhile falls on all of them, and ratios
hold where milliseconds do not.

Then the same with edits as people make them (`real_edits.py`: in a string of a table, in a `forward`, in a helper, a
line at the top, a bracket too many), each typed and taken back `--real` times: the time to the diagnostics, and the
processor time of the server and its children until these have come and until all work is done.

Each server is started once before it counts, and left as editors leave it, so that byte code, the system's file cache
and what a server keeps of its last session are what they are on every day but the first (`cold_start.py` tells more).
Printed are the time from spawn to the first diagnostics, percentiles over the edits, the memory after them (resident,
of the process and its children), and each of these as a multiple of what ruff takes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from real_edits import RealEdit, find_real_edits

SEED = 1
PATIENCE = 60.0
WHILE = 2.0
"""Seconds that the session lasts which does not count."""
REAL = 1_000_000
"""The version of the first of the real edits."""
QUIET = 0.1
"""Seconds without work after which a server counts as idle."""
WORD = re.compile(r"[a-zA-Z_]{3,}")

SERVERS = {
    "inplace-lsp": "inplace-lsp serve",
    "ruff": "ruff server",
    "ty": "ty server",
    "pyrefly": "pyrefly lsp",
    "basedpyright": "basedpyright-langserver --stdio",
}
BASE = "ruff"


@dataclass(frozen=True)
class Cost:
    """Of one edit: seconds to the diagnostics, processor seconds to the diagnostics and until all is done."""

    wall: float
    first: float
    all: float


@dataclass
class Measured:
    """Seconds, and bytes. `failed`: why there are no more."""

    cold: float = 0.0
    edits: list[float] = field(default_factory=list)
    memory: int = 0
    failed: str = ""
    real: dict[str, list[Cost]] = field(default_factory=dict)

    def figures(self) -> tuple[float, ...]:
        """Cold start, p50, p95, max, memory."""
        cuts = statistics.quantiles(self.edits, n=20) if len(self.edits) > 1 else self.edits * 19
        return self.cold, statistics.median(self.edits), cuts[18], max(self.edits), self.memory


class Server:
    """A server process; what it sends comes through `inbox`, requests of its own are answered with null."""

    def __init__(self, command: list[str]) -> None:
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, env=environment)
        self.inbox: Queue[dict[str, Any]] = Queue()
        self._lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, method: str | None = None, params: object = None, **more: object) -> None:
        message = {"jsonrpc": "2.0", **({"method": method, "params": params} if method else {}), **more}
        body = json.dumps(message).encode()
        with self._lock:
            assert self.process.stdin is not None
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.process.stdin.flush()

    def wait(self, wanted: Any, patience: float = PATIENCE) -> dict[str, Any]:
        """The first message for which `wanted` is true; the others are dropped. Raises queue.Empty after `patience`."""
        end = time.perf_counter() + patience
        while True:
            message = self.inbox.get(timeout=max(0.0, end - time.perf_counter()))
            if wanted(message):
                return message

    def leave(self) -> None:
        """End the session as an editor does that was open for a while."""
        time.sleep(WHILE)
        self.send("shutdown", id=2)
        self.wait(lambda message: message.get("id") == 2)
        self.send("exit")
        self.process.wait(PATIENCE)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()

    def memory(self) -> int:
        """Resident bytes of the process and its children (Linux; 0 elsewhere)."""
        return sum(_resident(pid) for pid in (self.process.pid, *_children(self.process.pid)))

    def cpu(self) -> float:
        """Processor seconds of the process and its children (Linux; 0 elsewhere)."""
        return sum(_processor_time(pid) for pid in (self.process.pid, *_children(self.process.pid)))

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while header := out.readline():
            length = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else 0
            while header.strip():
                header = out.readline()
                if header.lower().startswith(b"content-length"):
                    length = int(header.split(b":")[1])
            message = json.loads(out.read(length))
            if "id" in message and "method" in message:
                asked = message.get("params") or {}
                result = [None] * len(asked["items"]) if message["method"] == "workspace/configuration" else None
                self.send(id=message["id"], result=result)
            else:
                self.inbox.put(message)


def measure(
    commands: dict[str, list[str]], file: Path, edits: int, real: list[RealEdit], times: int
) -> dict[str, Measured]:
    """Start every server, open the file, edit it in all of them in turn."""
    found = {name: Measured() for name in commands}
    servers: dict[str, Server] = {}
    text, uri = file.read_text(encoding="utf-8"), file.absolute().as_uri()
    try:
        for name, command in commands.items():
            with _failing(found[name]):
                _open(command, file, text).leave()  # once, unmeasured
                began = time.perf_counter()
                servers[name] = _open(command, file, text)
                found[name].cold = time.perf_counter() - began
        for number, change in enumerate(_changes(text, edits), start=2):
            for name, server in servers.items():
                if not found[name].failed:
                    with _failing(found[name]):
                        found[name].edits.append(_edit(server, uri, change, number))
        for name, server in servers.items():
            found[name].memory = server.memory()
        _edit_really(servers, found, uri, real, times)
    finally:
        for server in servers.values():
            server.end()
    return found


def _edit_really(
    servers: dict[str, Server], found: dict[str, Measured], uri: str, real: list[RealEdit], times: int
) -> None:
    """Type each edit and take it back so many times, in all servers in turn. The first time does not count: what is new
    then is parsed."""
    steps = [(edit.name, at, change) for edit in real for at in range(times + 1) for change in edit.changes(at)]
    for version, (edit, at, change) in enumerate(steps, start=REAL):
        for name, server in servers.items():
            if not found[name].failed:
                with _failing(found[name]):
                    cost = _measure_cost(server, uri, change, version)
                    if at:
                        found[name].real.setdefault(edit, []).append(cost)


@contextmanager
def _failing(measured: Measured) -> Iterator[None]:
    try:
        yield
    except (Empty, OSError) as error:
        measured.failed = f"no answer ({type(error).__name__})"


def _open(command: list[str], file: Path, text: str) -> Server:
    """A server with its first diagnostics. Raises queue.Empty if it keeps silent for a minute."""
    server = Server(command)
    try:
        handshake(server, file)
        diagnostics_of(server, file, text)
    except BaseException:
        server.end()
        raise
    return server


def handshake(server: Server, file: Path) -> None:
    """Open the folder of the file."""
    folder = {"uri": file.absolute().parent.as_uri(), "name": file.parent.name}
    declared = {
        "textDocument": {"publishDiagnostics": {"versionSupport": True}},
        "workspace": {"configuration": True},
    }
    start = {
        "processId": os.getpid(),
        "rootUri": folder["uri"],
        "workspaceFolders": [folder],
        "capabilities": declared,
    }
    server.send("initialize", start, id=1)
    server.wait(lambda message: message.get("id") == 1)
    server.send("initialized", {})


def diagnostics_of(server: Server, file: Path, text: str) -> None:
    """Open the file with a text, and wait for its diagnostics."""
    uri = file.absolute().as_uri()
    item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    server.send("textDocument/didOpen", {"textDocument": item})
    _diagnostics(server, uri, 1)


def _changes(text: str, edits: int) -> list[dict[str, Any]]:
    """A letter behind a word, and the same letter taken back, again and again."""
    rng = random.Random(SEED)
    ends = [
        (row, match.end())
        for row, line in enumerate(text.split("\n"))
        for match in WORD.finditer(line)
        if line.isascii()
    ]
    changes = []
    for row, column in (rng.choice(ends) for _ in range((edits + 1) // 2)):
        here, after = {"line": row, "character": column}, {"line": row, "character": column + 1}
        changes += [
            {"range": {"start": here, "end": here}, "text": "q"},
            {"range": {"start": here, "end": after}, "text": ""},
        ]
    return changes[:edits]


def _edit(server: Server, uri: str, change: dict[str, Any], version: int) -> float:
    began = time.perf_counter()
    document = {"uri": uri, "version": version}
    server.send("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    _diagnostics(server, uri, version)
    return time.perf_counter() - began


def _measure_cost(server: Server, uri: str, change: dict[str, Any], version: int) -> Cost:
    before = server.cpu()
    wall = _edit(server, uri, change, version)
    first = server.cpu()
    return Cost(wall, first - before, _settle(server, first) - before)


def _settle(server: Server, used: float) -> float:
    """Wait until the server is idle; return the processor time that it has used."""
    while True:
        time.sleep(QUIET)
        now = server.cpu()
        if now == used:
            return now
        used = now


def _diagnostics(server: Server, uri: str, version: int) -> None:
    """Those of that version; of a server that names no version, the next ones."""
    server.wait(
        lambda message: (
            message.get("method") == "textDocument/publishDiagnostics"
            and message["params"]["uri"] == uri
            and message["params"].get("version") in (None, version)
        )
    )


def _resident(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


def _processor_time(pid: int) -> float:
    """utime, stime, cutime and cstime, which the system counts in ticks: a mean over many edits is finer."""
    try:
        figures = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, figures[11:15])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def servers_to_measure(named: list[str] | None) -> dict[str, list[str]]:
    """The servers asked for; else those that are installed beside this Python, or on the path."""
    if named:
        return {name: shlex.split(command) for name, _, command in (argument.partition("=") for argument in named)}
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = {}
    for name, command in SERVERS.items():
        program, *arguments = shlex.split(command)
        path = shutil.which(program, path=places)
        if path:
            found[name] = [path, *arguments]
        else:
            print(f"{name} is not installed (pip install -e '.[bench]')")
    return found


def _report(found: dict[str, Measured]) -> None:
    print(f"{'server':<14}{'cold start':>18}{'p50':>18}{'p95':>18}{'max':>18}{'memory':>18}")
    base = found.get(BASE)
    for name, measured in found.items():
        if measured.failed or not measured.edits:
            print(f"{name:<14}{measured.failed}")
            continue
        figures = measured.figures()
        cells = [f"{seconds * 1000:.1f} ms" for seconds in figures[:-1]] + [f"{figures[-1] / 2**20:.0f} MiB"]
        if base and base.edits and not base.failed:
            ratios = [own / other if other else 0.0 for own, other in zip(figures, base.figures(), strict=True)]
            cells = [f"{cell} ({ratio:.1f}x)" for cell, ratio in zip(cells, ratios, strict=True)]
        print(f"{name:<14}" + "".join(f"{cell:>18}" for cell in cells))


def _report_real(found: dict[str, Measured], real: list[RealEdit]) -> None:
    print(
        "\nMilliseconds: to the diagnostics (median); of processor time to the diagnostics / until all is done (mean)"
    )
    print(f"{'edit':<24}" + "".join(f"{name:>26}" for name in found))
    for edit in real:
        cells = [_describe_costs(measured.real.get(edit.name, [])) for measured in found.values()]
        print(f"{edit.name:<24}" + "".join(f"{cell:>26}" for cell in cells))


def _describe_costs(costs: list[Cost]) -> str:
    if not costs:
        return "-"
    wall = statistics.median(cost.wall for cost in costs)
    first, all_ = statistics.mean(cost.first for cost in costs), statistics.mean(cost.all for cost in costs)
    return f"{wall * 1000:.0f}; {first * 1000:.1f} / {all_ * 1000:.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--server", action="append", help="NAME=COMMAND; may be given again")
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--real", type=int, default=10, metavar="TIMES", help="0: none of these edits")
    options = parser.parse_args()
    real = find_real_edits(options.file.read_text(encoding="utf-8")) if options.real else []
    print(f"{options.file} ({options.file.read_text(encoding='utf-8').count(chr(10)):,} lines), {options.edits} edits")
    found = measure(servers_to_measure(options.server), options.file, options.edits, real, options.real)
    _report(found)
    if real:
        _report_real(found, real)
    return 1 if any(figures.failed for figures in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
