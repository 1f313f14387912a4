"""What the repairs of programs do, by running them: `python benchmarks/repairs.py [PATH ...] [--all] [--json FILE]`.

Every repair that is offered for a program of the suite with a marker (or of PATH) is made, the best repairs of what is
then left after it, and torch runs the result from the seed with which it runs the program as it was meant and the
author's repair. One line an offer that does not end the same; `--all`: every offer. The table counts them:

*same*: the parameters end the same to 1e-6. *differs*: they do not. *untrained*: a parameter that got gradients gets
none. *cured*: it runs, and there is nothing to compare with (torch refuses the write at once, and no author's repair).
*left*: it runs, but something is still found. *crash*: it does not run.

*safe* means that the best repairs of what was left are safe, too; a safe one before an unsafe one is *mixed*.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections import Counter
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fixes.outcomes import TWIN, Outcome, judge_repairs  # noqa: E402

SUITE = ROOT / "tests" / "programs"
VERDICTS = ("same", "differs", "untrained", "cured", "left", "crash")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[SUITE])
    parser.add_argument("--twins", action="store_true", help="only programs with the author's repair beside them")
    parser.add_argument("--all", action="store_true", help="print every offer")
    parser.add_argument("--json", type=Path, help="write all outcomes there")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    table: dict[str, list[Outcome]] = {}
    for path in find_programs(options.paths):
        if options.twins and not path.with_stem(f"{path.stem}{TWIN}").exists():
            continue
        table[str(path)] = judge_repairs(path)
        for outcome in table[str(path)]:
            if options.all or outcome.verdict not in ("same", "cured"):
                print_outcome(path, outcome)
    print_table(table)
    if options.json:
        options.json.write_text(json.dumps({path: [asdict(one) for one in found] for path, found in table.items()}))


def find_programs(paths: list[Path]) -> list[Path]:
    """Return the programs with a marker among the paths."""
    files = [file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    return [file for file in files if file in paths or "# error:" in file.read_text(encoding="utf-8")]


def print_outcome(path: Path, outcome: Outcome) -> None:
    safe = safety_of(outcome)
    why = outcome.error or ", ".join(outcome.untrained) or ", ".join(outcome.left)
    name = path.relative_to(SUITE) if path.is_relative_to(SUITE) else path
    print(f"{name}:{outcome.row} {outcome.code} {outcome.severity} {outcome.verdict} {safe}: {outcome.title}  [{why}]")
    sys.stdout.flush()


def print_table(table: dict[str, list[Outcome]]) -> None:
    print(f"\n{'':10}{'':8}" + "".join(f"{verdict:>11}" for verdict in VERDICTS))
    for first in (True, False):
        for safe in ("safe", "mixed", "unsafe"):
            counts = Counter(
                outcome.verdict
                for outcomes in table.values()
                for at, outcome in enumerate(outcomes)
                if safety_of(outcome) == safe and is_best(outcomes, at) is first
            )
            row = "".join(f"{counts[verdict]:>11}" for verdict in VERDICTS)
            print(f"{'best' if first else 'further':10}{safe:8}{row}")
    whole = sum(any(outcome.cured for outcome in outcomes) for outcomes in table.values())
    print(f"{whole} of {len(table)} programs are cured by some offer, {sum(map(bool, table.values()))} have one")


def safety_of(outcome: Outcome) -> str:
    """Return what the repair says of itself, and those that were made after it."""
    if not outcome.safe:
        return "unsafe"
    return "safe" if outcome.rest_is_safe else "mixed"


def is_best(outcomes: list[Outcome], at: int) -> bool:
    """Return whether an offer is the first for its finding."""
    places = [(outcome.row, outcome.code) for outcome in outcomes]
    return places.index(places[at]) == at


if __name__ == "__main__":
    main()
