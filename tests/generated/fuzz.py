"""Judge fresh random programs: `python -m tests.generated.fuzz --level 2 --count 500 --seed 1 --save DIR`."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generated.agree import Verdict, difference, run_and_analyse, shrink
from generated.levels import LEVELS, program


def main() -> int:
    """Run and print a summary; 1 if there were disagreements."""
    options = _options()
    levels = [options.level] if options.level else sorted(LEVELS)
    return max([_level(level, options) for level in levels])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=int, default=0, help="1 to 7; 0: all")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the programs have the seeds from there on")
    parser.add_argument("--save", type=Path, help="folder for the disagreements, shrunk")
    parser.add_argument("--show", type=int, default=5, help="disagreements to shrink and print")
    return parser.parse_args()


def _level(level: int, options: argparse.Namespace) -> int:
    start = time.perf_counter()
    verdicts = {
        seed: run_and_analyse(program(level, seed)) for seed in range(options.seed, options.seed + options.count)
    }
    seconds = time.perf_counter() - start
    _print(summary(level, verdicts) + f"; {seconds:.0f} s")
    differing = [seed for seed, verdict in verdicts.items() if not verdict.agree]
    _print(f"  differing seeds: {differing[:40]}")
    strays = [
        (seed, f"{verdict.error} {verdict.notes}".splitlines()[0])
        for seed, verdict in verdicts.items()
        if verdict.stray
    ]
    for seed, error in strays[: options.show]:
        _print(f"  unexplained error at seed {seed}: {error[:110]}")
    for seed in differing[: options.show] if not options.save else differing:
        _report(level, seed, options.save)
    return int(bool(differing))


def summary(level: int, verdicts: dict[int, Verdict]) -> str:
    """One line of figures about the judged programs of a level."""
    total = len(verdicts)
    agreeing = sum(verdict.agree for verdict in verdicts.values())
    hazardous = sum(bool(verdict.observed) for verdict in verdicts.values())
    wrong = sum(verdict.wrong for verdict in verdicts.values())
    strays = sum(verdict.stray for verdict in verdicts.values())
    codes = Counter(code for verdict in verdicts.values() for _, code in verdict.observed)
    listed = " ".join(f"{code}:{number}" for code, number in sorted(codes.items()))
    return (
        f"level {level}: {agreeing}/{total} agree ({agreeing / total:.2%}), verdict wrong {wrong}, "
        f"hazardous {hazardous / total:.0%}, unexplained errors {strays}; {listed}"
    )


def _report(level: int, seed: int, folder: Path | None) -> None:
    small = shrink(program(level, seed))
    lines = [f"# level {level}, seed {seed}", *difference(small, run_and_analyse(small))]
    _print("\n".join(lines) + "\n")
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"level{level}_seed{seed}.py").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
