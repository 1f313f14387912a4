"""Every repair that is offered, judged by what it does: no repaired program crashes or leaves a parameter untrained,
and safe repairs end with the parameters that the author meant.

In `make test` a sample of the suite; with INPLACE_LSP_PROGRAMS all of it (`benchmarks/repairs.py` prints the table).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fixes import outcomes
from fixes.outcomes import Outcome, judge_repairs
from kept import PACKAGE, kept

PROGRAMS = Path(__file__).parents[1] / "programs"
FAILING = sorted(path for path in PROGRAMS.rglob("*.py") if "# error:" in path.read_text(encoding="utf-8"))
SAMPLE = FAILING if "INPLACE_LSP_PROGRAMS" in os.environ else FAILING[::12]
NAMES = [path.relative_to(PROGRAMS).as_posix() for path in SAMPLE]


def found(path: Path) -> list[Outcome]:
    code = (PACKAGE, Path(outcomes.__file__))
    return kept("outcomes", code, (path.read_text(encoding="utf-8"),), lambda: judge_repairs(path))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", SAMPLE, ids=NAMES)
def test_no_repaired_program_crashes_or_leaves_a_parameter_untrained(path: Path) -> None:
    harmful = [outcome.title for outcome in found(path) if outcome.verdict in ("crash", "untrained")]
    assert not harmful


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", SAMPLE, ids=NAMES)
def test_a_safe_repair_ends_with_the_parameters_that_were_meant(path: Path) -> None:
    safe = (outcome for outcome in found(path) if outcome.safe and outcome.rest_is_safe)
    differing = [outcome.title for outcome in safe if outcome.verdict == "differs"]
    assert not differing


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", SAMPLE, ids=NAMES)
def test_an_unsafe_repair_says_what_differs(path: Path) -> None:
    silent = [outcome.title for outcome in found(path) if not outcome.safe and not outcome.title.endswith(")")]
    assert not silent
