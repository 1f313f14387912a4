"""A large tree, checks and scans ended in the middle, two at once, caches that take nothing: is anything left over?

    python benchmarks/hostile_files.py --files 20000

Makes a tree of files with findings in a temporary folder, and checks it with `inplace-lsp check`: ended by SIGINT,
SIGTERM and SIGKILL at several moments, twice at once with one cache, with caches that are read-only, full or no folder,
and with `--fix` killed in the middle. A server that scans the tree is ended in the same ways. Then come small trees
that are odd in themselves: folders nested deeply, configurations that cannot be read, one text repeated, integers
beyond any machine's; each holds a finding that has to be told. Exit status 1 if a process or a temporary file was left,
a file harmed, something said that is not true, a finding lost, or if an answer differs from that of an undisturbed
check.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from edit_latency import Server

START = (sys.executable, "-c", "from inplace_lsp.cli.main import main; main()")
HAZARD = "import torch\n\nx = torch.rand({0}, requires_grad=True)\ny = x.exp()\ny.add_({0})\ny.sum().backward()\n"
FINE = "def f(x):\n    return x + {0}\n"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
MOMENTS = (0.3, 0.6, 1.2, 2.5, 5.0)
PATIENCE = 1800.0
LEFT_SECONDS = 20.0
"""How long after the end of a check its processes may take to follow."""
SMALL = 1000
"""Bytes of a file beyond which nothing is written, on a disk that is almost full."""
UNPRIVILEGED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
"""Starts a command of root's to whom the modes of files apply."""
UNFINISHED = (".inplace-lsp.", ".unfinished")
ON_SMALL_DISK = (
    "unshare",
    "--user",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    'mount -t tmpfs -o size=256k none "$0" && exec "$@"',
)
"""Starts a command to which a folder, which is to be named, is a file system of its own."""

NESTED = 1100
"""Folders in one another: more than Python's calls may be nested, less than a path may be long."""
MOST_CPU_SECONDS = 30.0
"""What the check of a small tree may take."""
CONFIGURATIONS = {
    "arrays nested deeply": f"x = {'[' * 3000}{']' * 3000}",
    "tables nested deeply": f"x{'.x' * 3000} = 1",
    "a long integer": f"select = {'9' * 6000}",
    "values of other kinds": "select = 1\nexclude = {}\nmodels = [[]]",
    "all of the disk as models": 'models = ["/"]',
    "a folder that is not there": 'models = ["no/such"]\nexclude = ["\\u0000"]',
    "bytes": "\udc80\udcff",
    "a key twice": "select = []\nselect = []",
    "no end": 'select = ["IP',
}
REPEATED = "def f(x):\n    y = x.exp()\n    y.add_(1)\n    return y.sum().backward()\n"
INTEGERS = (
    "for i in range(10**30):\n    break\n",
    "count = len(range(10**30))\n",
    "[1].insert(10**30, 1)\n",
    "[1][10**30 :: 10**30]\n",
    "shifted = 1 << 10**30\n",
    "raised = 10**10**10\n",
    "repeated = [0] * 10**30\n",
    "text = str(10**5000)\n",
    f"literal = {'9' * 6000}\n",
    "shape = x.reshape(10**30, -1)\n",
    "part = x[10**30 :]\n",
)
"""Statements, some of which Python refuses; each stands in a function that nobody calls."""


@dataclass(frozen=True)
class Setup:
    """How a check is started: where it keeps what it has found, and how it is held back."""

    root: Path
    cache: Path
    temporary: Path
    options: tuple[str, ...] = ()
    before: tuple[str, ...] = ()

    def start(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "INPLACE_LSP_CACHE_DIR": str(self.cache), "TMPDIR": str(self.temporary)}
        command = (*self.before, *START, "check", "--quiet", *self.options, str(self.root))
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, start_new_session=True)

    def check(self) -> Answer:
        return Answer.of(self.start())

    def left(self) -> list[str]:
        """Temporary files, wherever they may be."""
        found = [str(path) for path in self.temporary.rglob("*")]
        return found + [str(path) for path in self.root.rglob(f"{UNFINISHED[0]}*")]


@dataclass(frozen=True)
class Answer:
    """Exit status, digest of what was found, and what stderr says."""

    status: int
    found: str
    errors: bytes = field(repr=False)

    @classmethod
    def of(cls, process: subprocess.Popen[bytes]) -> Answer:
        out, errors = process.communicate(timeout=PATIENCE)
        return cls(process.returncode, hashlib.sha256(out).hexdigest(), errors)


def make_tree(root: Path, count: int) -> None:
    """`count` files, fifty in a folder, half of them with a finding."""
    for number in range(count):
        folder = root / f"p{number // 2500}" / f"q{number // 50}"
        if number % 50 == 0:
            folder.mkdir(parents=True)
        (folder / f"m{number}.py").write_text((HAZARD if number % 2 else FINE).format(number % 7 + 2))


def state_of(root: Path) -> dict[str, str]:
    """The digest of every file below a folder, by name."""
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in root.rglob("*") if path.is_file()}


def is_anybody_left(session: int) -> bool:
    """Whether a process of a session lives after a while."""
    end = time.monotonic() + LEFT_SECONDS
    while time.monotonic() < end:
        if not _members(session):
            return False
        time.sleep(0.1)
    return True


def _members(session: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def interrupt(setup: Setup) -> Iterator[str]:
    """What goes wrong when a check is ended in the middle."""
    before = state_of(setup.root)
    for kind in SIGNALS:
        for moment in MOMENTS:
            process = setup.start()
            time.sleep(moment)
            process.send_signal(kind)
            began = time.monotonic()
            yield from (f"{kind.name} after {moment} s: {what}" for what in _ended(process))
            yield from (f"{kind.name} after {moment} s: {path} is left" for path in setup.left())
            print(f"  {kind.name} after {moment} s: ended in {time.monotonic() - began:.1f} s", flush=True)
    after = state_of(setup.root)
    changed = [name for name in before if name not in after]
    changed += [name for name in after if after[name] != before.get(name) and not _is_repaired(Path(name))]
    if changed:
        yield f"{len(changed)} files were harmed, the first {changed[0]}"


def _ended(process: subprocess.Popen[bytes]) -> Iterator[str]:
    """What is wrong with how a check ends that was given a signal."""
    try:
        _, errors = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        yield "still running 120 s later"
        os.killpg(process.pid, signal.SIGKILL)
        return
    if is_anybody_left(process.pid):
        yield "processes are left"
    if b"internal error" in errors or (b"Traceback" in errors and b"KeyboardInterrupt" not in errors):
        yield repr(errors[-300:])  # a KeyboardInterrupt is Python's own while it starts


def _is_repaired(path: Path) -> bool:
    """Whether a file is as `--fix` leaves it."""
    return any(
        path.read_text() == HAZARD.format(number).replace(f"y.add_({number})", f"y = y.add({number})")
        for number in range(9)
    )


def find_unfinished(cache: Path) -> Iterator[str]:
    """What is left in a cache by checks that were ended, after one that was not."""
    left = [str(start) for start in cache.rglob(f"*{UNFINISHED[1]}")]
    if left:
        yield f"{len(left)} unfinished entries are left in the cache, the first {left[0]}"


def race(setup: Setup, expected: Answer) -> Iterator[str]:
    """Two checks at once, on one cache."""
    for found in [Answer.of(path) for path in [setup.start(), setup.start()]]:
        if found != expected:
            yield f"of two checks on one cache one says something else ({found.status}, {found.errors[:200]!r})"
    yield from find_unfinished(setup.cache)


def starve(setup: Setup, folder: Path, expected: Answer) -> Iterator[str]:
    """Caches that take nothing, or not everything, made in `folder`; and what a check finds there afterwards."""
    for name, starved in _starved(setup, folder):
        found = starved.check()
        if found != expected:
            yield f"another answer with a cache that is {name} ({found.status}, {found.errors[:200]!r})"
        yield from (f"with a cache that is {name}, {path} is left" for path in starved.left())
        kept = len(list(starved.cache.rglob("*.entry")))
        if starved.cache.is_dir() and replace(starved, before=()).check() != expected:
            yield f"another answer after a cache that was {name}"
        yield from find_unfinished(starved.cache)
        print(f"  {name}: {kept} entries, later {len(list(starved.cache.rglob('*.entry')))}", flush=True)


def _starved(setup: Setup, folder: Path) -> Iterator[tuple[str, Setup]]:
    names = ("file", "read-only", "shut", "half", "quota", "full")
    file, read_only, shut, half, quota, full = (folder / f"cache-{name}" for name in names)
    file.write_text("")
    for path in (read_only, shut, quota, full):
        path.mkdir()
    shutil.copytree(setup.cache, half)  # what is known is read, and nothing can be added
    for path in sorted(half.rglob("*.entry"))[::2]:
        path.unlink()
    read_only.chmod(0o555)
    shut.chmod(0)
    for path in (half, *(path for path in half.rglob("*") if path.is_dir())):
        path.chmod(0o555)
    yield "no folder", replace(setup, cache=file)
    yield "on a disk that takes small files alone", replace(setup, cache=quota, before=("prlimit", f"--fsize={SMALL}"))
    bound = UNPRIVILEGED if os.getuid() == 0 else ()
    if _works(*bound):
        yield "read-only", replace(setup, cache=read_only, before=bound)
        yield "closed to everybody", replace(setup, cache=shut, before=bound)
        yield "read-only and half filled", replace(setup, cache=half, before=bound)
    if _works(*ON_SMALL_DISK, str(full)):
        yield "full", replace(setup, cache=full, before=(*ON_SMALL_DISK, str(full)))


def _works(*command: str) -> bool:
    """Whether a command can start others here."""
    works = subprocess.run((*command, "true"), check=False, capture_output=True).returncode == 0
    if not works:
        print(f"  left out, since `{command[0]}` is not permitted here", flush=True)
    return works


def scan(root: Path, expected: int) -> Iterator[str]:
    """A server that scans the tree, ended in the middle; the next one finds everything."""
    for kind in SIGNALS:
        for moment in MOMENTS:
            server = _scanning(root)
            time.sleep(moment)
            server.process.send_signal(kind)
            began = time.monotonic()
            try:
                server.process.wait(30)
            except subprocess.TimeoutExpired:
                yield f"a server that was sent {kind.name} runs 30 s later"
            if is_anybody_left(server.process.pid):
                yield f"processes of a server are left that was sent {kind.name} after {moment} s"
                os.killpg(server.process.pid, signal.SIGKILL)
            print(f"  {kind.name} after {moment} s: ended in {time.monotonic() - began:.1f} s", flush=True)
    server, found = _scanning(root), 0
    server.send("workspace/diagnostic", {"previousResultIds": []}, id=2)
    answer = server.wait(lambda message: message.get("id") == 2, PATIENCE)
    found = sum(bool(report["items"]) for report in answer["result"]["items"])
    print(f"  undisturbed: {found} files with findings", flush=True)
    if found != expected:
        yield f"an undisturbed scan finds {found} files with findings, not {expected}"
    assert server.process.stdin is not None
    server.process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        server.process.wait(LEFT_SECONDS)
    if is_anybody_left(server.process.pid):
        yield "processes of a server are left whose client is gone"


def _scanning(root: Path) -> Server:
    """A server in a session of its own, which was asked for the diagnostics of the tree."""
    server = Server(["setsid", *START, "serve"])
    folders = [{"uri": root.as_uri(), "name": root.name}]
    pulls = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    params = {"processId": None, "rootUri": None, "workspaceFolders": folders, "capabilities": pulls}
    server.send("initialize", {**params, "initializationOptions": {"diagnosticMode": "workspace"}}, id=1)
    server.wait(lambda message: message.get("id") == 1)
    server.send("initialized", {})
    server.send("workspace/diagnostic", {"previousResultIds": [], "partialResultToken": "first"}, id=3)
    return server


def feed(setup: Setup) -> Iterator[str]:
    """What is wrong with how small trees are checked that are odd in themselves."""
    for name, text in CONFIGURATIONS.items():
        yield from _fed(setup, f"configuration: {name}", {"pyproject.toml": f"[tool.inplace-lsp]\n{text}\n"})
    yield from _fed(setup, "one function 1,000 times", {"many.py": "import torch\n\n" + REPEATED * 1000})
    for number, statement in enumerate(INTEGERS):
        lines = "".join(f"    {line}\n" for line in statement.splitlines())
        program = f"import torch\n\ndef g(x):\n{lines}{REPEATED}"
        yield from _fed(setup, f"integers {number}: {statement[:30]!r}", {"big.py": program})
    yield from _fed(setup, f"{NESTED} folders in one another", {}, depth=NESTED)


def _fed(setup: Setup, name: str, files: dict[str, str], depth: int = 0) -> Iterator[str]:
    """What is wrong with the check of `files` and a program with a finding, below so many folders."""
    root = setup.root / "fed"
    folder = root.joinpath(*"d" * depth)
    root.mkdir(parents=True)
    for above in [*reversed(folder.relative_to(root).parents), folder.relative_to(root)] if depth else ():
        (root / above).mkdir(exist_ok=True)
    texts = {"program.py": HAZARD.format(2), **files}
    for each, text in texts.items():
        (folder / each).write_bytes(text.encode("utf-8", "surrogateescape"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        process = replace(setup, root=root, options=("--no-cache", "--output-format", "concise")).start()
        out, errors = process.communicate(timeout=PATIENCE)
    finally:
        for each in texts:
            (folder / each).unlink()
        while folder != root.parent:  # `shutil.rmtree` would call itself once for each
            folder.rmdir()
            folder = folder.parent
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    print(f"  {name[:60]}: status {process.returncode}, {spent:.1f} s of CPU", flush=True)
    if b"internal error" in out + errors or b"Traceback" in errors:
        yield f"{name}: {errors[-300:]!r}"
    if b"program.py:5:1: error[IP101]" not in out:
        yield f"{name}: the finding is lost ({errors[-300:]!r})"
    if "big.py" in files and out.count(b"IP101") != 2:
        yield f"{name}: the finding in the next function is lost ({errors[-300:]!r})"
    if spent > MOST_CPU_SECONDS:
        yield f"{name}: {spent:.1f} s of CPU"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=20_000)
    options = parser.parse_args(arguments)
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        root, scratch = Path(name) / "tree", Path(name)
        scratch.chmod(0o755)
        (scratch / "temporary").mkdir()
        make_tree(root, options.files)
        setup = Setup(root, scratch / "undisturbed", scratch / "temporary")
        began = time.monotonic()
        expected = setup.check()
        print(
            f"{options.files} files checked in {time.monotonic() - began:.1f} s, status {expected.status}", flush=True
        )
        began = time.monotonic()
        faults += ["another answer from the cache"] * (setup.check() != expected)
        print(f"again, from the cache: {time.monotonic() - began:.1f} s", flush=True)
        print("ended in the middle:", flush=True)
        ended = replace(setup, cache=scratch / "ended")
        faults += interrupt(ended)
        faults += ["another answer after those"] * (ended.check() != expected)
        faults += find_unfinished(ended.cache)
        print("two at once", flush=True)
        faults += race(replace(setup, cache=scratch / "both"), expected)
        print("caches, of a part of the tree:", flush=True)
        part = replace(setup, root=root / "p0", cache=scratch / "part")
        faults += starve(part, scratch, part.check())
        print("a scan ended in the middle:", flush=True)
        faults += scan(root, options.files // 2)
        print("--fix ended in the middle:", flush=True)
        faults += interrupt(replace(setup, cache=scratch / "fix", options=("--fix",)))
        print("trees that are odd in themselves:", flush=True)
        faults += feed(replace(setup, root=scratch / "odd"))
    print("\n".join(faults) or "nothing left, nothing harmed, no other answer")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
