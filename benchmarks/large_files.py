"""CPU seconds of one file that is large in one direction: many functions, classes, branches, findings.

    python benchmarks/large_files.py            # all shapes
    python benchmarks/large_files.py classes    # those whose name begins so

For each: seconds of the check with its report, findings, functions that the file's budget has cut, and seconds of an
edit of a line in the middle, as the server makes it. Exit status 1 if a check takes more than `LONGEST` seconds, or a
file of which something is not analysed says nothing about it.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable

from inplace_lsp.analysis import Analysis
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.run import run_jobs
from inplace_lsp.config import DEFAULT
from inplace_lsp.engine import analyse_source, forget_files
from inplace_lsp.report.formats import FORMATS
from inplace_lsp.report.outcome import Outcome

LONGEST = 10.0
"""Seconds of CPU that one file may take."""
NAME = "/large.py"
HEAD = "import torch\nfrom torch import nn\n"
FUNCTION = "def f{0}(x, w):\n    y = (x * w).exp()\n    y.add_({0})\n    return y\n"
LINK = "def f{0}(x):\n    y = f{1}(x).exp()\n    y.add_(1)\n    return y\n"
CLASS = """\
class C{0}(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3)
        self.c = {2}
    def forward(self, x):
        y = self.l(x).exp()
        y.add_(1)
        return self.c(y)
"""
PROGRAM = "x = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"
BRANCH = "    if a == {0}: y = y * {0}\n"


def repeat(text: str, count: int, *more: str) -> str:
    """Return a program of so many pieces; each knows its number, and the next one's."""
    return HEAD + "".join(
        text.format(number, number + 1, *(part.format(number + 1) for part in more)) for number in range(count)
    )


SHAPES: dict[str, Callable[[], str]] = {
    "functions, 10,000": lambda: repeat(FUNCTION, 10_000),
    "functions, 20,000": lambda: repeat(FUNCTION, 20_000),
    "functions, each calling the next, 500": lambda: repeat(LINK, 500),
    "classes, 1,000": lambda: repeat(CLASS, 1_000, "None"),
    "classes that build the next, 250": lambda: repeat(CLASS, 250, "C{0}() if x else None"),
    "classes that build the next, 1,000": lambda: repeat(CLASS, 1_000, "C{0}() if x else None"),
    "branches, 500": lambda: (
        f"{HEAD}def f(x, a):\n    y = x.exp()\n{repeat(BRANCH, 500)[len(HEAD) :]}    y.add_(1)\n    return y\n"
    ),
    "hazards in a row, 3,000": lambda: repeat(PROGRAM, 3_000),
    "the same function, 1,000": lambda: HEAD + FUNCTION.format(0) * 1_000,
}


def main() -> None:
    """Measure every shape that was asked for."""
    wanted = sys.argv[1:] or [""]
    chosen = [name for name in SHAPES if any(map(name.startswith, wanted))]
    list(run_jobs([Job(NAME, DEFAULT, text=repeat(FUNCTION, 2))], 1))  # what is loaded once
    quick = [measure(name, SHAPES[name]()) for name in chosen]
    sys.exit(0 if all(quick) else 1)


def measure(name: str, text: str) -> bool:
    """Check a program, then edit it; print what that took. Return whether it was quick enough."""
    forget_files()
    start = time.process_time()
    [report] = run_jobs([Job(NAME, DEFAULT, text=text)], 1)
    FORMATS["full"].write(Outcome(report.findings, {NAME: text.split("\n")}, "/", "/", [NAME]), io.StringIO())
    seconds = time.process_time() - start
    cut = sum(gap.cut for gap in report.gaps)
    print(
        f"{name}: {text.count(chr(10))} lines, {seconds:.1f} s, {len(report.findings)} findings, {cut} functions cut; "
        f"an edit {edit(text):.1f} s"
    )
    return seconds < LONGEST and not report.errors and (cut > 0 or sees_all(report, text))


def sees_all(report: FileReport, text: str) -> bool:
    """Return whether each write of the program is a finding: all of these programs' are."""
    return len(report.findings) == text.count("add_(")


def edit(text: str) -> float:
    """Return the seconds of an analysis after a line in the middle became two."""
    lines = text.split("\n")
    last = analyse_source(text, NAME, last=Analysis())
    at = (
        next(at for at, line in enumerate(lines) if at >= len(lines) // 2 and "add_(" in line)
        if len(lines) > 600
        else -3
    )
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines[at] = f"{indent}z = 1\n{indent}y.mul_(2)"
    start = time.process_time()
    analyse_source("\n".join(lines), NAME, last=last, early=lambda _: None)
    return time.process_time() - start


if __name__ == "__main__":
    main()
