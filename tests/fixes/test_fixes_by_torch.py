"""Repairs of every program that proves a hazard: torch runs what was repaired, and a safe repair changes no value."""

import pytest
import torch

from fixes.judge import FILE, repaired, run, run_as_meant, tensors
from inplace_lsp.engine import analyse
from inplace_lsp.hazards.registry import HAZARDS

FAILING = [
    pytest.param(f"{hazard.code}: {one.title}", one.text, id=f"{hazard.code}: {one.title}")
    for hazard in HAZARDS
    for one in hazard.examples
    if not one.valid
]


WITHOUT_REPAIR = {
    "IP102: The discriminator steps before the generator's backward",
    "IP102: A checkpoint is restored between forward and backward",
    "IP203: The base is written, then an output is used",
    "IP205: A shifted copy of itself",
    "IP206: A factor that the backward needs",
    "IP301: The memory of a parameter is swapped before backward",
    "IP302: A hidden state is replaced through .data",
}
"""The programs for which nothing is offered yet; every other one must be repaired."""


@pytest.mark.parametrize(("title", "program"), FAILING)
def test_what_is_repaired_runs(title, program):
    fixed, made = repaired(program)
    assert bool(made) == (title not in WITHOUT_REPAIR)
    if made:
        assert analyse(fixed, FILE).findings == ()
        run(fixed)


@pytest.mark.parametrize(("title", "program"), FAILING)
def test_a_safe_repair_changes_no_value_and_no_gradient(title, program):
    fixed, made = repaired(program)
    codes = [one.code for one in analyse(program, FILE).findings]
    if not made or any(fix.applicability != "safe" for fix in made) or analyse(fixed, FILE).findings:
        return
    if set(codes) != {"IP101"}:
        return  # torch refuses the original on the spot, or frees its graph: there is nothing to compare with
    meant, got = tensors(run_as_meant(program)), tensors(run(fixed))
    assert meant.keys() == got.keys()
    for name, value in meant.items():
        assert torch.equal(value, got[name]), name
