"""Times of verify, and with --suite the verdicts on tests/programs. One run prints all figures.

    python benchmarks/verify.py [--suite] [--runs N]

*bare*: a process with torch loaded forks a child that runs the same function, and waits for it. *warm*: a whole verify
with its two runs, once the worker is there. *cold*: a worker is started and asked once.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import Target, module, target_by_name
from inplace_lsp.verify.verdict import TELLING, Verdict

ROOT = Path(__file__).parent.parent
TEXT = """\
import torch

def step():
    net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Sigmoid(), torch.nn.Linear(16, 1))
    hidden = net[1](net[0](torch.rand(4, 8)))
    loss = net[2](hidden).sum()
    loss.backward()
"""


def run(client: Client, text: str, filename: str, target: Target) -> Verdict:
    return verify(Subject(text, filename, target), client, Options(device="cpu"))


def timed(work: Callable[[], object], times: int) -> list[float]:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return taken


def bare() -> None:
    """Fork, import the text as a module would be, run, and wait."""
    pid = os.fork()
    if pid == 0:
        names: dict[str, object] = {"__name__": "bench"}
        exec(compile(TEXT, "bench.py", "exec"), names)
        names["step"]()  # type: ignore[operator]
        os._exit(0)
    os.waitpid(pid, 0)


def warm() -> list[float]:
    with Client(Launch(sys.executable)) as client:
        target = target_by_name(TEXT, "step")
        for _ in range(3):
            run(client, TEXT, "/nowhere/bench.py", target)
        return timed(lambda: run(client, TEXT, "/nowhere/bench.py", target), runs)


def cold() -> None:
    with Client(Launch(sys.executable)) as client:
        run(client, TEXT, "/nowhere/bench.py", target_by_name(TEXT, "step"))


def times() -> None:
    imports = timed(lambda: subprocess.run([sys.executable, "-c", "import torch"], check=True), 5)
    colds = timed(cold, 5)
    warms = warm()
    import torch  # noqa: F401, PLC0415  (after the other figures, which have it in processes of their own)

    bares = timed(bare, runs)
    median = statistics.median
    print(f"import torch     {median(imports):.3f} s")
    print(f"cold verify      {median(colds):.3f} s  (import + {median(colds) - median(imports):.3f} s; at most 1 s)")
    print(f"bare fork + run  {median(bares) * 1000:.0f} ms median of {runs}")
    print(f"warm verify      {median(warms) * 1000:.0f} ms median of {runs}  (at most 300 ms)")
    print(f"ratio            {median(warms) / median(bares):.2f}  (at most 1.5)")
    print(f"load average     {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


def suite() -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    from support import expected  # noqa: PLC0415

    right = failing = wrongly = fine = 0
    with Client(Launch(sys.executable)) as client:
        for path in sorted((ROOT / "tests" / "programs").rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            wanted = expected(text)
            verdict = run(client, text, str(path), module(text))
            found = {(violation.written.row, violation.code) for violation in verdict.violations}
            telling = verdict.verdict in TELLING
            failing += bool(wanted)
            fine += not wanted
            right += bool(wanted) and telling and found == wanted
            wrongly += not wanted and telling
            if telling != bool(wanted) or found != wanted:
                print(f"{path.relative_to(ROOT)}: {verdict.verdict}: {verdict.reason}")
    print(f"confirmed or silent at the right lines: {right} of {failing} failing programs ({right / failing:.1%})")
    print(f"confirmed or silent though valid: {wrongly} of {fine}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", action="store_true")
    parser.add_argument("--runs", type=int, default=30)
    arguments = parser.parse_args()
    runs = arguments.runs
    times()
    if arguments.suite:
        suite()
