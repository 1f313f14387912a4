"""How long a language server takes from a one-character edit to fresh diagnostics.

    python benchmarks/edit_latency.py FILE --edits 200 \\
        --server 'ours=inplace-lsp serve' --server 'ruff=ruff server' --server 'ty=ty server'

Every server gets the same file and the same edits (a letter typed behind a random word, then taken back), one at a
time: the next edit is made when the diagnostics of the last one have come. Any server that speaks LSP over stdio can be
measured. Printed are the time from spawn to the first diagnostics, percentiles over the edits, and the memory then.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import Any

SEED = 1
PATIENCE = 60.0
WORD = re.compile(r"[a-zA-Z_]{3,}")


@dataclass(frozen=True)
class Measured:
    """Seconds, and bytes."""

    cold: float
    edits: list[float]
    memory: int


class Server:
    """A server process; what it sends comes through `inbox`, requests of its own are answered with null."""

    def __init__(self, command: list[str]) -> None:
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null)
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

    def wait(self, wanted: Any) -> dict[str, Any]:
        """The first message for which `wanted` is true; the others are dropped."""
        end = time.perf_counter() + PATIENCE
        while True:
            message = self.inbox.get(timeout=max(0.0, end - time.perf_counter()))
            if wanted(message):
                return message

    def memory(self) -> int:
        """Resident bytes of the process and its children (Linux; 0 elsewhere)."""
        return sum(_resident(pid) for pid in (self.process.pid, *_children(self.process.pid)))

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


def measure(command: list[str], file: Path, edits: int) -> Measured:
    """Start the server, open the file, edit it. Raises queue.Empty if it keeps silent for a minute."""
    text, uri = file.read_text(encoding="utf-8"), file.absolute().as_uri()
    began = time.perf_counter()
    server = Server(command)
    try:
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
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        server.send("textDocument/didOpen", {"textDocument": item})
        _diagnostics(server, uri, 1)
        cold = time.perf_counter() - began
        times = [_edit(server, uri, change, number) for number, change in enumerate(_changes(text, edits), start=2)]
        return Measured(cold, times, server.memory())
    finally:
        server.process.kill()
        server.process.wait()


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


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--server", action="append", help="NAME=COMMAND; may be given again")
    parser.add_argument("--edits", type=int, default=200)
    options = parser.parse_args()
    print(f"{options.file} ({options.file.read_text(encoding='utf-8').count(chr(10)):,} lines), {options.edits} edits")
    print(f"{'server':<14}{'cold start':>12}{'p50':>10}{'p95':>10}{'max':>10}{'memory':>12}")
    failed = 0
    for server in options.server or ["inplace-lsp=inplace-lsp serve"]:
        name, _, command = server.partition("=")
        try:
            found = measure(shlex.split(command), options.file, options.edits)
        except (Empty, OSError) as error:
            print(f"{name:<14}no answer ({type(error).__name__})")
            failed += 1
            continue
        cuts = statistics.quantiles(found.edits, n=20) if len(found.edits) > 1 else found.edits * 19
        seconds = (found.cold, statistics.median(found.edits), cuts[18], max(found.edits))
        cells = [f"{one * 1000:.1f} ms" for one in seconds]
        print(f"{name:<14}{cells[0]:>12}{cells[1]:>10}{cells[2]:>10}{cells[3]:>10}{found.memory / 2**20:>8.0f} MiB")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
