"""What torch tells about programs with hazards, plain and with `set_detect_anomaly`: does it name the line that wrote?

    python benchmarks/comparison.py

The programs are those of tests/programs, whose lines with a hazard are marked. Each is run twice under torch, plain and
with anomaly detection, all of them one after the other in a process for each way. A line counts as named if it is in
the error's traceback, or in the traceback of the forward call that anomaly detection prints.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "tests" / "programs"
MARKER = re.compile(r"#\s*error:\s*(IP\d{3})")
GROUPS = {
    "IP101": "a saved tensor is written",
    "IP102": "a step or a load before backward",
    "IP103": "a graph is used after it was freed",
    "IP2": "a write that torch refuses",
    "IP3": "a write, or a lost graph, that autograd does not notice",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What torch told about one program: whether it raised, and the lines of the program that it named."""

    raised: bool
    lines: tuple[int, ...]


def marked_lines(text: str) -> dict[int, str]:
    """Return the rows on which something must be found, each with its code."""
    rows = ((row, MARKER.search(line)) for row, line in enumerate(text.split("\n"), start=1))
    return {row: found[1] for row, found in rows if found}


def run_program(path: Path, *, anomaly: bool) -> Told:
    """Run a program in this process, and return what torch told."""
    import torch  # noqa: PLC0415  (the process that collects needs none)

    torch.manual_seed(0)
    name, text = str(path), path.read_text(encoding="utf-8")
    with warnings.catch_warnings(record=True) as caught, torch.autograd.set_detect_anomaly(anomaly, check_nan=False):
        warnings.simplefilter("always")
        try:
            exec(compile(text, name, "exec"), {"__name__": "__main__", "__file__": name})
        except Exception as error:
            lines = {frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name}
            said = "\n".join(str(warning.message) for warning in caught)
            lines |= {int(row) for row in re.findall(rf'File "{re.escape(name)}", line (\d+)', said)}
            return Told(True, tuple(sorted(row for row in lines if row)))
    return Told(False, ())


def judge_all(anomaly: bool) -> None:
    """Print a line of JSON for each program with a marked line."""
    sys.path.append(str(ROOT / "tests"))
    for path in sorted(PROGRAMS.rglob("*.py")):
        if not marked_lines(path.read_text(encoding="utf-8")):
            continue
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            told = run_program(path, anomaly=anomaly)
        print(json.dumps([str(path.relative_to(PROGRAMS)), told.raised, told.lines]), flush=True)


def collect(anomaly: bool) -> dict[str, Told]:
    """Return what torch told about each program, from a process of its own."""
    command = [sys.executable, __file__, "--judge", "anomaly" if anomaly else "plain"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines: Iterator[tuple[str, bool, list[int]]] = (json.loads(line) for line in done.stdout.splitlines())
    return {name: Told(raised, tuple(rows)) for name, raised, rows in lines}


def count(names: Iterable[str], group: str, told: dict[str, Told]) -> tuple[int, int, int]:
    """Return how many programs have a hazard of a group, how many of them raise, and for how many a write is named."""
    asked = raised = named = 0
    for name in names:
        rows = {
            row for row, code in marked_lines((PROGRAMS / name).read_text("utf-8")).items() if code.startswith(group)
        }
        if rows:
            asked += 1
            raised += told[name].raised
            named += bool(rows & set(told[name].lines))
    return asked, raised, named


def main() -> None:
    """Print the table of docs/comparison.md."""
    plain, anomaly = collect(False), collect(True)
    print("| hazard | programs | torch raises | names the line | with anomaly detection |")
    print("|---|---|---|---|---|")
    for group, words in GROUPS.items():
        asked, raised, named = count(plain, group, plain)
        print(f"| {group}: {words} | {asked} | {raised} | {named} | {count(plain, group, anomaly)[2]} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", choices=["plain", "anomaly"], help=argparse.SUPPRESS)
    chosen = parser.parse_args().judge
    judge_all(chosen == "anomaly") if chosen else main()
