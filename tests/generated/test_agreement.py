"""The two recorders agree: random programs are run under torch and predicted from their text.

INPLACE_LSP_PROGRAMS: how many a level are judged (default 60; `make fuzz`, once a night, judges 340);
INPLACE_LSP_SEED: the first seed (default 0); INPLACE_LSP_SAVE: a folder for the disagreements, shrunk (default: a
temporary one, printed).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generated.agree import difference, run_and_analyse, shrink
from generated.fuzz import summary
from generated.levels import LEVELS, program, seeds_of

AT_LEAST = {1: 0.98, 2: 0.98, 3: 0.98, 4: 0.97, 5: 0.97, 6: 0.98, 7: 0.95}
"""The share of programs of a level with the same set of (row, code) from both."""


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_both_recorders_tell_the_same(level: int, tmp_path: Path) -> None:
    """And a good share of the programs has a hazard, and few are no programs at all."""
    seeds = seeds_of(level)
    verdicts = {seed: run_and_analyse(program(level, seed)) for seed in seeds}
    differing = [seed for seed, verdict in verdicts.items() if not verdict.agree]
    told = f"{summary(level, verdicts)}; seeds {seeds[0]} to {seeds[-1]}, differing: {differing}"
    print(told)  # noqa: T201
    if 1 - len(differing) / len(seeds) < AT_LEAST[level]:
        pytest.fail(f"{told}\n{_saved(level, differing, tmp_path)}")
    assert 0.3 <= sum(bool(verdict.observed) for verdict in verdicts.values()) / len(seeds) <= 0.75
    assert sum(verdict.broken for verdict in verdicts.values()) <= max(2, len(seeds) / 30)


def test_a_seed_gives_the_same_program_for_ever() -> None:
    assert [program(level, 7) for level in LEVELS] == [program(level, 7) for level in LEVELS]


def _saved(level: int, seeds: list[int], default: Path) -> str:
    """Shrink a few of the disagreements, save them, and tell of them."""
    folder = Path(os.environ.get("INPLACE_LSP_SAVE", default))
    folder.mkdir(parents=True, exist_ok=True)
    told = [f"saved in {folder}"]
    for seed in seeds[:5]:
        small = shrink(program(level, seed))
        text = "\n".join(difference(small, run_and_analyse(small)))
        (folder / f"level{level}_seed{seed}.py").write_text(text + "\n", encoding="utf-8")
        told.append(f"# level {level}, seed {seed}\n{text}")
    return "\n\n".join(told)
