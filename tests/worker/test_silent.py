"""A gradient that comes out otherwise than it should, without an error, is never missed.

In the recorded run every backward gets what was saved, whatever has been written since; in the plain run it gets what
torch finds. Where torch raises nothing and the gradients of the two runs differ, there must be an IP301.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from generated.levels import LEVELS, program, seeds_of
from inplace_lsp.hazards.registry import find_all
from truth import truth

ROOT = Path(__file__).parents[1] / "programs"
PROGRAMS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_wrong_gradients_of_the_programs(name: str) -> None:
    hold_against_gradients((ROOT / name).read_text(encoding="utf-8"), name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("level", LEVELS)
def test_wrong_gradients_of_random_programs(level: int) -> None:
    for seed in seeds_of(level):
        hold_against_gradients(program(level, seed))


def hold_against_gradients(text: str, filename: str = "program.py") -> None:
    known = truth(text, filename)
    codes = {found.code for found in find_all(known.tape)}
    if any(code.startswith("IP10") for code in codes):
        return  # the program has caught torch's own error
    assert not known.wrong or "IP301" in codes, f"the gradients of {known.wrong} are wrong in\n{text}"
