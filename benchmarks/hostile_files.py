"""A large tree, checks ended in the middle, two at once, a cache that cannot be written: is anything left over?

    python benchmarks/hostile_files.py --files 20000

Makes a tree of files with findings in a temporary folder, and checks it with `inplace-lsp check`: ended by SIGINT,
SIGTERM and SIGKILL at several moments, twice at once with one cache, with a cache that is read-only or full, and with
`--fix` killed in the middle. Exit status 1 if a process was left, a file harmed, or an answer differs from that of an
undisturbed check.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

COMMAND = (sys.executable, "-c", "from inplace_lsp.cli.main import main; main()", "check", "--quiet")
HAZARD = "import torch\n\nx = torch.rand({0}, requires_grad=True)\ny = x.exp()\ny.add_({0})\ny.sum().backward()\n"
FINE = "def f(x):\n    return x + {0}\n"
MOMENTS = (0.3, 0.6, 1.2, 2.5, 5.0)
PATIENCE = 1800.0
LEFT_SECONDS = 3.0
"""How long after the end of a check its processes may take to follow."""


def make_tree(root: Path, count: int) -> None:
    """`count` files, fifty in a folder, half of them with a finding."""
    for number in range(count):
        folder = root / f"p{number // 2500}" / f"q{number // 50}"
        if number % 50 == 0:
            folder.mkdir(parents=True)
        (folder / f"m{number}.py").write_text((HAZARD if number % 2 else FINE).format(number % 7 + 2))


def state_of(root: Path) -> dict[str, str]:
    """The digest of every file below a folder, by name."""
    return {str(one): hashlib.sha256(one.read_bytes()).hexdigest() for one in root.rglob("*") if one.is_file()}


def start(root: Path, cache: Path, *options: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "INPLACE_LSP_CACHE_DIR": str(cache)}
    pipe = subprocess.PIPE
    command = (*COMMAND, *options, str(root))
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, start_new_session=True)


def check(root: Path, cache: Path, *options: str) -> tuple[int, str, bytes]:
    """Exit status, digest of what was found, and what stderr says."""
    process = start(root, cache, *options)
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, hashlib.sha256(out).hexdigest(), errors


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
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                fields = (one / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(one.name))
    return found


def interrupt(root: Path, cache: Path, *options: str) -> Iterator[str]:
    """What goes wrong when a check is ended in the middle."""
    before = state_of(root)
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        for moment in MOMENTS:
            process = start(root, cache, *options)
            time.sleep(moment)
            process.send_signal(kind)
            began = time.monotonic()
            try:
                _, errors = process.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                yield f"{kind.name} after {moment} s: still running 30 s later"
                os.killpg(process.pid, signal.SIGKILL)
                continue
            if is_anybody_left(process.pid):
                yield f"{kind.name} after {moment} s: processes are left"
            if b"Traceback" in errors and b"KeyboardInterrupt" not in errors:  # that is Python's own while it starts
                yield f"{kind.name} after {moment} s: {errors[-300:]!r}"
            print(f"  {kind.name} after {moment} s: ended in {time.monotonic() - began:.1f} s", flush=True)
    after = state_of(root)
    changed = [name for name in before if name not in after]
    changed += [name for name in after if after[name] != before.get(name) and not _is_repaired(Path(name))]
    left = [name for name in changed if ".inplace-lsp." not in name]
    if left:
        yield f"{len(left)} files were harmed, the first {left[0]}"
    print(f"  unfinished files beside others: {len(changed) - len(left)}", flush=True)


def _is_repaired(path: Path) -> bool:
    """Whether a file is as `--fix` leaves it."""
    return any(
        path.read_text() == HAZARD.format(one).replace(f"y.add_({one})", f"y = y.add({one})") for one in range(9)
    )


def race(root: Path, cache: Path, expected: tuple[int, str, bytes]) -> Iterator[str]:
    """Two checks at once, on one cache."""
    both = [start(root, cache), start(root, cache)]
    for process in both:
        out, errors = process.communicate(timeout=PATIENCE)
        if (process.returncode, hashlib.sha256(out).hexdigest(), errors) != expected:
            yield f"of two checks on one cache one says something else ({process.returncode}, {errors[:200]!r})"


def unwritable(root: Path, scratch: Path, expected: tuple[int, str, bytes]) -> Iterator[str]:
    """Caches that are no folder, read-only, or on a device that is full."""
    kinds = {"no folder": scratch / "file", "read-only": Path("/proc/cache"), "full": Path("/dev/full")}
    kinds["no folder"].write_text("")
    for name, cache in kinds.items():
        if check(root, cache) != expected:
            yield f"another answer with a cache that is {name}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=20_000)
    options = parser.parse_args(arguments)
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        root, scratch = Path(name) / "tree", Path(name)
        make_tree(root, options.files)
        began = time.monotonic()
        expected = check(root, scratch / "undisturbed")
        print(f"{options.files} files checked in {time.monotonic() - began:.1f} s, status {expected[0]}", flush=True)
        began = time.monotonic()
        faults += ["another answer from the cache"] * (check(root, scratch / "undisturbed") != expected)
        print(f"again, from the cache: {time.monotonic() - began:.1f} s", flush=True)
        print("ended in the middle:", flush=True)
        faults += interrupt(root, scratch / "ended")
        faults += ["another answer after those"] * (check(root, scratch / "ended") != expected)
        faults += race(root, scratch / "both", expected)
        faults += unwritable(root, scratch, expected)
        print("--fix ended in the middle:", flush=True)
        faults += interrupt(root, scratch / "fix", "--fix")
    print("\n".join(faults) or "nothing left, nothing harmed, no other answer")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
