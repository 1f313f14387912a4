"""What a safe repair trains: three steps of a program as it was meant, beside three of the repaired one.

In `make test` a sample of the suite's programs and of the generated ones; with INPLACE_LSP_PROGRAMS, which `make fuzz`
sets, all of the suite and a tenth of that many of each level.
"""

from __future__ import annotations

import os

import pytest
import torch

from fixes.runs import Repaired, repaired
from fixes.test_fixes_by_torch import FAILING, keeps_all_values, outcome
from fixes.three_steps import train, train_as_meant
from generated.levels import COUNT, FIRST, LEVELS, program

ALL = "INPLACE_LSP_PROGRAMS" in os.environ
SAMPLE = sorted(FAILING) if ALL else sorted(FAILING)[::8]
SEEDS = range(FIRST, FIRST + (COUNT // 10 if ALL else 2))
COMPARABLE = {"IP101", "IP102"}
"""Codes whose programs run as they were meant once every op saves a copy; the others torch refuses, or are silent."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("title", SAMPLE)
def test_a_repaired_program_of_the_suite_trains_the_same(title: str) -> None:
    _compare(FAILING[title], outcome(title))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_repaired_generated_program_trains_the_same(level: int) -> None:
    for seed in SEEDS:
        text = program(level, seed)
        _compare(text, repaired(text))


def _compare(text: str, known: Repaired) -> None:
    """Assert that both end with the same parameters, if every repair made says so of itself."""
    if not (known.whole and known.codes <= COMPARABLE and all(map(keeps_all_values, known.made))):
        return
    meant = train_as_meant(text)
    if meant is None:
        return
    got = train(known.text)
    for name, value in meant.items():
        assert torch.allclose(value.to_dense(), got[name].to_dense(), atol=1e-6, equal_nan=True), (name, known.text)
