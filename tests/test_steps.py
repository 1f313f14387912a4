"""What an analysis costs, in steps: as much as was recorded."""

from __future__ import annotations

import json
import os

import pytest

from steps import FRAMEWORKS, RECORDED, count_steps_of, find_file

RECORD = json.loads(RECORDED.read_text(encoding="utf-8"))
TOLERANCE = 0.03
"""By how much of the recorded steps a part of the files may take more, or less."""
OURS = "programs of our own"


def find_part(name: str) -> str:
    """Return the package that a file belongs to."""
    return name.partition("/")[0] if name in FRAMEWORKS else OURS


@pytest.mark.parametrize("part", sorted(set(map(find_part, RECORD))))
def test_an_analysis_takes_the_steps_that_were_recorded(part: str) -> None:
    names = [name for name in RECORD if find_part(name) == part]
    if find_file(names[0]) is None:
        assert "CI" not in os.environ, f"{part} is not installed"
        pytest.skip(f"{part} is not installed: pip install -e '.[frameworks]'")
    found = {name: count_steps_of(name) or 0 for name in names}
    before, now = sum(RECORD[name] for name in names), sum(found.values())
    changed = [f"  {name}: {RECORD[name]} -> {found[name]}" for name in names if found[name] != RECORD[name]]
    assert abs(now - before) <= TOLERANCE * before, "\n".join([
        f"{before} steps were recorded, now it takes {now} ({now / before - 1:+.1%}):",
        *changed,
        "if that is meant, record them anew: python tests/steps.py",
    ])  # fmt: skip
