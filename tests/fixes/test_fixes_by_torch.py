"""Repairs of every failing program of the suite, judged by torch: what was repaired runs, and a safe repair changes no
value and no gradient."""

from functools import cache
from pathlib import Path

import pytest
import torch

from fixes.judge import FILE, repaired, run, run_as_meant, tensors
from inplace_lsp.engine import analyse
from inplace_lsp.hazards.finding import Fix
from inplace_lsp.hazards.registry import HAZARDS

PROGRAMS = Path(__file__).parents[1] / "programs"
FAILING = {f"{one.code}: {program.title}": program.text for one in HAZARDS for program in one.examples}
FAILING |= {path.relative_to(PROGRAMS).as_posix(): path.read_text(encoding="utf-8") for path in PROGRAMS.rglob("*.py")}
FAILING = {title: text for title, text in FAILING.items() if "# error:" in text}
ALL_WARNINGS = pytest.mark.filterwarnings("ignore")


@cache
def outcome(title: str) -> tuple[str, tuple[Fix, ...], bool]:
    """The program with every repair made that is offered, these, and whether nothing is left to find."""
    fixed, made = repaired(FAILING[title])
    return fixed, tuple(made), bool(made) and not analyse(fixed, FILE).findings


@ALL_WARNINGS
@pytest.mark.parametrize("title", FAILING)
def test_what_is_repaired_runs(title):
    fixed, _, whole = outcome(title)
    if whole:
        run(fixed)


@ALL_WARNINGS
@pytest.mark.parametrize("title", FAILING)
def test_a_safe_repair_changes_no_value_and_no_gradient(title):
    """Compared with the original where that can be run as it was meant: torch refuses some writes on the spot."""
    fixed, made, whole = outcome(title)
    codes = {one.code for one in analyse(FAILING[title], FILE).findings}
    if whole and codes == {"IP101"} and all(fix.applicability == "safe" for fix in made):
        meant, got = tensors(run_as_meant(FAILING[title])), tensors(run(fixed))
        assert meant.keys() <= got.keys()
        for name, value in meant.items():
            assert torch.allclose(value, got[name], atol=1e-6, equal_nan=True), name


def test_most_failing_programs_can_be_repaired():
    without = sorted(title for title in FAILING if not outcome(title)[2])
    assert len(without) <= 0.07 * len(FAILING), (
        without
    )  # no repair is true where an early step reads gradients that add up
