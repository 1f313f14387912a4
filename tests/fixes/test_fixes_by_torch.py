"""Repairs of every failing program of the suite, judged by torch: what was repaired runs, and a safe repair changes no
value and no gradient."""

from pathlib import Path

import pytest
import torch

from fixes import runs
from fixes.runs import Repaired, repaired, run, run_as_meant, tensors
from inplace_lsp.hazards.finding import Fix
from inplace_lsp.hazards.registry import HAZARDS
from kept import PACKAGE, kept

PROGRAMS = Path(__file__).parents[1] / "programs"
FAILING = {f"{hazard.code}: {program.title}": program.text for hazard in HAZARDS for program in hazard.examples}
FAILING |= {path.relative_to(PROGRAMS).as_posix(): path.read_text(encoding="utf-8") for path in PROGRAMS.rglob("*.py")}
FAILING = {title: text for title, text in FAILING.items() if "# error:" in text}
ALL_WARNINGS = pytest.mark.filterwarnings("ignore")


def outcome(title: str) -> Repaired:
    """The program of that title, repaired."""
    return kept("repairs", (PACKAGE, Path(runs.__file__)), (FAILING[title],), lambda: repaired(FAILING[title]))


def keeps_all_values(fix: Fix) -> bool:
    """Whether a repair says of itself that every value stays what it was."""
    moved = fix.message.startswith("Move") and "new parameters" not in fix.message
    return fix.applicability == "safe" or moved


@ALL_WARNINGS
@pytest.mark.parametrize("title", FAILING)
def test_what_is_repaired_runs(title):
    known = outcome(title)
    if known.whole:
        run(known.text)


@ALL_WARNINGS
@pytest.mark.parametrize("title", FAILING)
def test_a_safe_repair_changes_no_value_and_no_gradient(title):
    """Compared with the original where that can be run as it was meant: torch refuses some writes on the spot. A step
    that is only moved trains the same, too."""
    known = outcome(title)
    if known.whole and known.codes <= {"IP101", "IP102"} and all(map(keeps_all_values, known.made)):
        meant, got = tensors(run_as_meant(FAILING[title])), tensors(run(known.text))
        assert meant.keys() <= got.keys()
        for name, value in meant.items():
            assert torch.allclose(value.to_dense(), got[name].to_dense(), atol=1e-6, equal_nan=True), name


def test_most_failing_programs_can_be_repaired():
    without = sorted(title for title in FAILING if not outcome(title).whole)
    assert len(without) <= 0.08 * len(FAILING), without  # what would train something else is not offered
