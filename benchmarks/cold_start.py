"""How long language servers take from spawn to the answer to `initialize`, and to the first diagnostics of a file.

    python benchmarks/cold_start.py FILE --rounds 10
    python benchmarks/cold_start.py FILE --server 'NAME=COMMAND' --server ...

Two cases: a text that no session has seen (a comment at its end is new each time), and the text as the last session
left it. The servers take turns round by round, as in `edit_latency.py`. Printed are medians: milliseconds to the answer
and to the diagnostics, and of processor time, with all threads and children, to each.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from edit_latency import Server, diagnostics_of, handshake, servers_to_measure

NEW, KNOWN = "new text", "known text"


@dataclass(frozen=True)
class Start:
    """Milliseconds: to the answer to `initialize`, with processor time, and to the diagnostics, with processor time."""

    answer: float
    answer_cpu: float
    first: float
    first_cpu: float


def measure(commands: dict[str, list[str]], file: Path, rounds: int) -> dict[tuple[str, str], list[Start]]:
    """Start every server in every round, with a new text and with a known one."""
    found: dict[tuple[str, str], list[Start]] = {}
    text = file.read_text(encoding="utf-8")
    for at in range(rounds + 1):
        for name, command in commands.items():
            new = _start(command, file, f"{text}\n# {time.time_ns()}\n")
            _start(command, file, text)
            known = _start(command, file, text)
            if at:  # the first round makes byte code
                found.setdefault((name, NEW), []).append(new)
                found.setdefault((name, KNOWN), []).append(known)
    return found


def _start(command: list[str], file: Path, text: str) -> Start:
    began = time.perf_counter()
    server = Server(command)
    try:
        handshake(server, file)
        answer, answer_cpu = time.perf_counter() - began, server.cpu()
        diagnostics_of(server, file, text)
        first, first_cpu = time.perf_counter() - began, server.cpu()
        server.leave()
    finally:
        server.end()
    return Start(*(seconds * 1000 for seconds in (answer, answer_cpu, first, first_cpu)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--server", action="append", help="NAME=COMMAND; may be given again")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    print(f"{'server':<14}{'':<12}{'initialize':>12}{'(cpu)':>8}{'diagnostics':>14}{'(cpu)':>8}")
    for (name, case), starts in measure(servers_to_measure(options.server), options.file, options.rounds).items():
        figures = [statistics.median(getattr(start, field) for start in starts) for field in Start.__annotations__]
        print(f"{name:<14}{case:<12}{figures[0]:>12.0f}{figures[1]:>8.0f}{figures[2]:>14.0f}{figures[3]:>8.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
