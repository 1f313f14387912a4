"""The same program verified again and again: one verdict each, and the right one.

    python benchmarks/steady.py [--runs N] [--load N] [--timeout SECONDS]

Half of the programs are some of tests/programs; the others use what two runs side by side could take from each other:
names in their folder, shared memory, databases, ports, threads. `--load` starts so many busy loops beside them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[0] = str(ROOT / "tests")  # in place of this folder, which has a `verify` of its own

from inplace_lsp.verify.client import Client  # noqa: E402
from inplace_lsp.verify.launch import Launch  # noqa: E402
from inplace_lsp.verify.options import Options  # noqa: E402
from inplace_lsp.verify.prove import Subject, verify  # noqa: E402
from inplace_lsp.verify.target import module  # noqa: E402
from support import expected  # noqa: E402

START = "import os, torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\n"
BROKEN = "y.add_(1)\ny.sum().backward()\n"
SHARING = {
    "a folder": "os.mkdir('out')\n",
    "a checkpoint": "for step in range(30):\n    torch.save(y, 'c.pt')\n    torch.load('c.pt')\n",
    "a cache": "if os.path.exists('c.pt'):\n    raise SystemExit(3)\ntorch.save(y, 'c.pt')\n",
    "a lock file": "os.close(os.open('lock', os.O_CREAT | os.O_EXCL))\n",
    "a database": "import sqlite3\nwith sqlite3.connect('d.db') as d:\n    d.execute('create table t(a)')\nd.close()\n",
    "shared memory": (
        "from multiprocessing import shared_memory\nm = shared_memory.SharedMemory('steady', create=True, size=8)\n"
    ),
    "a thread": "import threading\nt = threading.Thread(target=torch.rand, args=(2,))\nt.start()\nt.join()\n",
    "a write that is refused": "try:\n    torch.save(y, '/refused.pt')\nexcept OSError:\n    pass\n",
}


def programs() -> Iterator[tuple[str, str, str, set[str]]]:
    """Thirty of them: name, file, text, and the verdicts that are right."""
    paths = sorted((ROOT / "tests" / "programs").rglob("*.py"))
    for path in paths[:: len(paths) // 14][:14]:
        text = path.read_text(encoding="utf-8")
        right = {"confirmed", "silent"} if expected(text) else {"not-reproduced"}
        yield str(path.relative_to(ROOT)), str(path), text, right
    for name, lines in SHARING.items():
        yield f"{name}, broken", "/nowhere/steady.py", START + lines + BROKEN, {"confirmed"}
        yield f"{name}, fine", "/nowhere/steady.py", START + lines + "y.sum().backward()\n", {"not-reproduced"}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--load", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=10.0)
    arguments = parser.parse_args()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(arguments.load)]
    wrong = unsteady = count = 0
    try:
        with Client(Launch(sys.executable)) as client:
            options = Options(device="cpu", deadline=arguments.timeout)
            for name, file, text, right in programs():
                subject = Subject(text, file, module(text))
                answers = [verify(subject, client, options) for _ in range(arguments.runs)]
                seen = Counter((answer.verdict, answer.reason) for answer in answers)
                count += len(answers)
                unsteady += len(answers) - seen.most_common(1)[0][1]
                wrong += sum(answer.verdict not in right for answer in answers)
                if len(seen) > 1 or any(answer.verdict not in right for answer in answers):
                    print(f"{name}: {'; '.join(f'{number} x {what}: {why}' for (what, why), number in seen.items())}")
    finally:
        for process in busy:
            process.kill()
    print(f"{count} verdicts: {unsteady} differ from the others of their program, {wrong} are wrong")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    return 1 if wrong or unsteady else 0


if __name__ == "__main__":
    sys.exit(main())
