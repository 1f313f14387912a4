"""Random editing for as long as you like: does the server stay up, stay right, and stay small?

    python benchmarks/soak.py FILE [FILE ...] --minutes 30

Two clients take turns, each with a server of its own: one as VS Code declares itself (it pulls diagnostics and counts
in UTF-16), one that diagnostics are pushed to (in UTF-8). All files are open in both. In its turn a client makes a
burst of random edits in one file, asks for hovers, actions, hints, lenses and highlights at random places, takes
requests back, closes and opens files, and waits for the diagnostics of its last edit. Now and then all files are
given to a fresh server: where the answers differ for longer than inferring types can explain, the old server's are
stale.

Exit status 1 if a server died, answered with an error that is no cancellation, logged a fault, or was stale.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from typing import Any

from edit_latency import Server, _children, _resident

CAPABILITIES = Path(__file__).parents[1] / "tests" / "lsp" / "capabilities"
CANCELLED = {-32800, -32801, -32802}
"""Request cancelled, content modified, server cancelled: what a busy editor has to expect."""
SETTLE_SECONDS = 45.0
PATIENCE = 300.0
"""Seconds a server may keep silent: the soak runs beside other work, at its mercy."""
TYPED = (
    *("y", "x.add_(1)", " += 1", "\n", "\n    ", "(", ")", "[0]", "'", '"""', "#", ":", " = ", ".exp()", "😀", "é"),
    *("def f(x):\n    x += 1\n    return x\n", "with torch.no_grad():\n", "return ", "import torch\n", "\\\n", "\t"),
)
ASKED = ("hover", "codeAction", "inlayHint", "codeLens", "documentHighlight")


@dataclass
class Tally:
    """What happened."""

    edits: int = 0
    requests: int = 0
    cancelled: int = 0
    comparisons: int = 0
    waits: list[float] = field(default_factory=list)
    memory: list[tuple[float, int, int]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Client:
    """An editor with some files open, and its server."""

    def __init__(self, name: str, command: list[str], files: list[Path], *, pulls: bool, encoding: str) -> None:
        self.name, self.pulls, self.encoding = name, pulls, encoding
        self.command = command
        self.log = Path(tempfile.mkstemp(prefix=f"soak-{name}-", suffix=".log")[1])
        self.server = Server([*command, "--log-file", str(self.log)])
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: dict[str, tuple[int | None, list[dict[str, Any]]]] = {}
        self.number = 0
        self._greet(files[0].absolute().parent)
        for file in files:
            self.open(file.absolute().as_uri(), file.read_text(encoding="utf-8"))

    def _greet(self, folder: Path) -> None:
        declared = json.loads((CAPABILITIES / "vscode-languageclient-11.0.0.json").read_text(encoding="utf-8"))
        declared["general"]["positionEncodings"] = [self.encoding]
        if not self.pulls:
            del declared["textDocument"]["diagnostic"], declared["workspace"]["diagnostics"]
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        start = {"processId": os.getpid(), "rootUri": None, "workspaceFolders": folders, "capabilities": declared}
        self.ask("initialize", start)
        self.server.send("initialized", {})

    def ask(self, method: str, params: object) -> dict[str, Any]:
        """A request and its answer."""
        self.number += 1
        number = self.number
        self.server.send(method, params, id=number)
        return self._until(lambda message: message.get("id") == number and "method" not in message)

    def _until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message that is wanted; of the others, what was published is kept."""

        def seen(message: dict[str, Any]) -> bool:
            if message.get("method") == "textDocument/publishDiagnostics":
                found = message["params"]
                self.published[found["uri"]] = found.get("version"), found["diagnostics"]
            return wanted(message)

        return self.server.wait(seen, PATIENCE)

    def open(self, uri: str, text: str) -> None:
        self.texts[uri], self.versions[uri] = text, self.versions.get(uri, 0) + 1
        item = {"uri": uri, "languageId": "python", "version": self.versions[uri], "text": text}
        self.server.send("textDocument/didOpen", {"textDocument": item})

    def close(self, uri: str) -> str:
        self.server.send("textDocument/didClose", {"textDocument": {"uri": uri}})
        return self.texts.pop(uri)

    def replace(self, uri: str, start: int, end: int, new: str) -> None:
        """An incremental change; offsets are code points."""
        text = self.texts[uri]
        at = {"start": self.position(text, start), "end": self.position(text, end)}
        self.texts[uri] = text[:start] + new + text[end:]
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        change = {"textDocument": document, "contentChanges": [{"range": at, "text": new}]}
        self.server.send("textDocument/didChange", change)

    def position(self, text: str, offset: int) -> dict[str, int]:
        line = text[:offset].rsplit("\n", 1)[-1]
        codec, size = ("utf-16-le", 2) if self.encoding == "utf-16" else ("utf-8", 1)
        return {"line": text.count("\n", 0, offset), "character": len(line.encode(codec)) // size}

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """Those of the newest text."""
        if self.pulls:
            return self.pull_diagnostics(uri)
        while (known := self.published.get(uri)) is None or known[0] != self.versions[uri]:
            self._until(lambda message: message.get("method") == "textDocument/publishDiagnostics")
        return known[1]

    def pull_diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """Those of the newest text, all of it analysed: a server answers this whatever the client declares."""
        answer = self.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return list(answer["result"]["items"])

    def published_again(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics of the same text once more: pushed ones come only with a new version."""
        if not self.pulls:
            self.replace(uri, 0, 0, "")
        return self.diagnostics(uri)

    def end(self) -> None:
        self.server.process.kill()
        self.server.process.wait()


def edit(client: Client, uri: str, rng: random.Random) -> int:
    """Type or delete something; most of the time take it back, so that the text stays near a program."""
    text = client.texts[uri]
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + rng.choice((0, 0, 0, 1, 2, 12)))
    new, old = rng.choice(TYPED), text[at:end]
    client.replace(uri, at, end, new)
    if rng.random() >= 0.9:
        return 1
    client.replace(uri, at, at + len(new), old)
    return 2


def ask(client: Client, uri: str, rng: random.Random, tally: Tally) -> None:
    """A request at a random place; some are taken back at once."""
    at = client.position(client.texts[uri], rng.randrange(len(client.texts[uri]) + 1))
    kind, here = rng.choice(ASKED), {"start": {"line": max(0, at["line"] - 20), "character": 0}, "end": at}
    params: dict[str, Any] = {"textDocument": {"uri": uri}}
    if kind in {"hover", "documentHighlight"}:
        params["position"] = at
    elif kind != "codeLens":
        params["range"] = here
    if kind == "codeAction":
        params["context"] = {"diagnostics": []}
    tally.requests += 1
    if rng.random() < 0.2:
        client.server.send(f"textDocument/{kind}", params, id=f"cancelled {tally.requests}")
        client.server.send("$/cancelRequest", {"id": f"cancelled {tally.requests}"})
        tally.cancelled += 1
        return
    answer = client.ask(f"textDocument/{kind}", params)
    if "error" in answer and answer["error"]["code"] not in CANCELLED:
        tally.faults.append(f"{client.name}: textDocument/{kind}: {answer['error']}")


def turn(client: Client, originals: dict[str, str], rng: random.Random, tally: Tally) -> None:
    """One client's turn: a burst in one file."""
    uri = rng.choice(list(client.texts))
    chance = rng.random()
    if chance < 0.03:
        client.open(uri, client.close(uri))
    elif chance < 0.08:
        client.replace(uri, 0, len(client.texts[uri]), originals[uri])
    for _ in range(rng.randrange(1, 6)):
        tally.edits += edit(client, uri, rng)
        if rng.random() < 0.3:
            ask(client, uri, rng, tally)
    began = time.perf_counter()
    client.diagnostics(uri)
    tally.waits.append(time.perf_counter() - began)
    time.sleep(rng.choice((0, 0, 0.02, 0.2)))


def compare(client: Client, files: list[Path], tally: Tally) -> None:
    """Whether a fresh server, given the same texts, says the same. What does not parse keeps its last meaning: before
    such a text both are given the file as it is on the disk, so that they know the same one."""
    fresh = Client(f"{client.name}-fresh", client.command, files, pulls=client.pulls, encoding=client.encoding)
    try:
        for uri, text in list(client.texts.items()):
            original = fresh.texts[uri]
            for each in (fresh, client) if not _parses(text) else ():
                each.replace(uri, 0, len(each.texts[uri]), original)
                each.pull_diagnostics(uri)  # those that are pushed may be early ones
                each.replace(uri, 0, len(original), text)
            fresh.replace(uri, 0, len(fresh.texts[uri]), text)
        for uri in client.texts:
            tally.comparisons += 1
            if not _agree(client, fresh, uri):
                tally.faults.append(f"{client.name}: stale diagnostics of {uri} (saved as {_keep(client, uri)})")
                tally.faults.extend(_describe_difference(client.published_again(uri), fresh.published_again(uri)))
    finally:
        fresh.end()
        fresh.log.unlink()


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _agree(client: Client, fresh: Client, uri: str) -> bool:
    """Whether both say the same as soon as both have inferred what they can."""
    end = time.monotonic() + SETTLE_SECONDS
    while True:
        if client.published_again(uri) == fresh.published_again(uri):
            return True
        if time.monotonic() > end:
            return False
        time.sleep(1)


def _describe_difference(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterator[str]:
    for title, some, others in (("only from the old server", old, new), ("only from the fresh one", new, old)):
        yield from (
            f"  {title}: {each['range']['start']} {each['message'][:120]}" for each in some if each not in others
        )


def _keep(client: Client, uri: str) -> str:
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".py", prefix="stale-", delete=False) as file:
        file.write(client.texts[uri])
    return file.name


def sample(client: Client, began: float, tally: Tally) -> None:
    """Resident bytes of the server, and of its children (jedi)."""
    process = client.server.process
    children = sum(map(_resident, _children(process.pid)))
    tally.memory.append((time.monotonic() - began, _resident(process.pid), children))


def soak(client_and_tally: list[tuple[Client, Tally]], files: list[Path], options: argparse.Namespace) -> None:
    """Turns until the time is over, with a look at the memory every few seconds and comparisons in between."""
    rng = random.Random(options.seed)
    originals = {file.absolute().as_uri(): file.read_text(encoding="utf-8") for file in files}
    began = time.monotonic()
    sampled, compared = began, began
    while (now := time.monotonic()) < began + 60 * options.minutes:
        for client, tally in client_and_tally:
            turn(client, originals, rng, tally)
        if now - sampled > 5:
            sampled = now
            for client, tally in client_and_tally:
                sample(client, began, tally)
        if now - compared > options.compare_every:
            for client, tally in client_and_tally:
                compare(client, files, tally)
            compared = time.monotonic()
    for client, tally in client_and_tally:
        compare(client, files, tally)
        sample(client, began, tally)


def report(client: Client, tally: Tally) -> Iterator[str]:
    """The figures, one a line."""
    cuts = statistics.quantiles(tally.waits, n=20) if len(tally.waits) > 1 else [0.0] * 19
    yield f"{client.name}: {tally.edits:,} edits, {tally.requests:,} requests ({tally.cancelled:,} taken back)"
    yield f"  diagnostics after a burst: p50 {cuts[9] * 1000:.0f} ms, p95 {cuts[18] * 1000:.0f} ms"
    yield f"  compared with a fresh server: {tally.comparisons} files"
    for title, index in (("server", 1), ("its children", 2)):
        quarters = _quarters([sample[index] for sample in tally.memory])
        yield f"  memory of the {title}, median of each quarter: {quarters} MiB"
    yield f"  faults: {len(tally.faults)}"
    yield from (f"    {fault}" for fault in tally.faults)


def _quarters(samples: list[int]) -> str:
    size = max(1, len(samples) // 4)
    parts = [samples[start : start + size] for start in range(0, size * 4, size)]
    return ", ".join(f"{statistics.median(part) / 2**20:.0f}" for part in parts if part)


def faults(client: Client) -> Iterator[str]:
    """What the server's log and its end say."""
    if client.server.process.poll() is not None:
        yield f"{client.name}: the server died with status {client.server.process.returncode}"
    errors = [line for line in client.log.read_text(encoding="utf-8").splitlines() if " ERROR " in line]
    yield from (f"{client.name}: logged: {line}" for line in errors[:10])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--compare-every", type=float, default=240, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", default="inplace-lsp serve", metavar="COMMAND")
    options = parser.parse_args()
    command = shlex.split(options.server)
    kinds = (("pulling", True, "utf-16"), ("pushed-to", False, "utf-8"))
    both = [
        (Client(name, command, options.files, pulls=pulls, encoding=encoding), Tally())
        for name, pulls, encoding in kinds
    ]
    try:
        soak(both, options.files, options)
    except (Empty, OSError) as error:
        both[0][1].faults.append(f"a server keeps silent, or is gone ({type(error).__name__})")
    failed = False
    for client, tally in both:
        tally.faults.extend(faults(client))
        print("\n".join(report(client, tally)), flush=True)
        failed = failed or bool(tally.faults)
        client.end()
        if not tally.faults:
            client.log.unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
