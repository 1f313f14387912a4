"""The two recorders, given the same random programs, find the same lines and codes.

INPLACE_LSP_PROGRAMS sets how many programs are judged (default 1000), INPLACE_LSP_SEED where to begin. Programs on
which the recorders differ are written to `tests/agreement/disagreements/`, named by their seed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from random_programs import program
from support import observed, predicted

HERE = Path(__file__).parent
COUNT = int(os.environ.get("INPLACE_LSP_PROGRAMS", "1000"))
FIRST = int(os.environ.get("INPLACE_LSP_SEED", "0"))
SHARE = 0.98


@pytest.mark.filterwarnings("ignore")
def test_both_recorders_find_the_same() -> None:
    differing = [seed for seed in range(FIRST, FIRST + COUNT) if _differ(seed)]
    agreeing = 1 - len(differing) / COUNT
    print(f"{agreeing:.1%} of {COUNT} programs from seed {FIRST} on agree; seeds that differ: {differing}")  # noqa: T201
    assert agreeing >= SHARE, f"only {agreeing:.1%} agree; seeds that differ: {differing}"


def _differ(seed: int) -> bool:
    text = program(seed)
    torch_says, we_say = observed(text), predicted(text)
    if torch_says == we_say:
        return False
    folder = HERE / "disagreements"
    folder.mkdir(exist_ok=True)
    report = f"# missed: {sorted(torch_says - we_say)}\n# without need: {sorted(we_say - torch_says)}\n"
    (folder / f"{seed}.py").write_text(text + report, encoding="utf-8")
    return True
