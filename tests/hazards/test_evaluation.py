"""What happens only where a program evaluates is a hint: such code mostly runs without gradients."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.evidence import find_evaluation

EVALUATES = (
    "not self.training", "not training", "not args.train", "not is_train", "not (model.is_training)",
    "mode == 'predict'", "self.mode == 'test'", "split == 'val'", "stage == 'inference'", "args.run_mode == 'EVAL'",
    "self.is_test", "args.eval", "evaluate", "export", "self.do_eval and x > 0", "cfg['is_test']",
)  # fmt: skip
TRAINS = (
    "self.training", "mode == 'train'", "mode == 'loss'", "not self.pretrained", "not args.train_encoder",
    "not x", "x > 0", "self.test_time_scale", "mode != 'test'", "len(x) == 1", "eval_every and step % eval_every",
    "self.objective == 'predict_noise'", "self.task == 'detect'", "self.search == 'beam'", "self.predict",
    "mode == 'test_time'", "not self.training or x > 0", "a plainly broken (",
)  # fmt: skip


@pytest.mark.parametrize("condition", EVALUATES)
def test_conditions_of_evaluation(condition: str) -> None:
    assert find_evaluation(("x > 0", condition)) == condition


@pytest.mark.parametrize("condition", TRAINS)
def test_other_conditions(condition: str) -> None:
    assert find_evaluation((condition,)) == ""


RETURNED = """\
from torch import nn


class Net(nn.Module):
    def forward(self, x, mode):
        y = x.sigmoid()
        if {condition}:
            y.mul_(255)
        return y
"""
REFUSED = """\
from torch import nn


class Net(nn.Module):
    def {name}(self, alphas):
        for alpha in alphas:
            alpha.clamp_(min=0, max=1)
        return alphas

    def forward(self, x, mode):
        if {condition}:
            return self.{name}(x * 2)
        return x
"""
WALKED = """\
import torch


def adapt(x, mode):
    w = torch.rand(3, requires_grad=True)
    y = (x * w).sigmoid()
    if mode == "test":
        y.mul_(255)
    y.sum().backward()
"""


def _list_severities(text: str) -> list[tuple[int, str]]:
    return [(found.span.row, found.severity) for found in analyse_source(text, "/program.py").findings]


@pytest.mark.parametrize("condition", ['mode == "predict"', "not self.training"])
def test_a_write_where_a_program_evaluates(condition: str) -> None:
    assert _list_severities(RETURNED.format(condition=condition)) in ([(8, "hint")], [])
    assert _list_severities(REFUSED.format(condition=condition, name="squeeze_range")) in ([(7, "hint")], [])


def test_the_same_elsewhere() -> None:
    assert _list_severities(RETURNED.format(condition="mode > 0")) == [(8, "warning")]
    assert _list_severities(REFUSED.format(condition="mode > 0", name="squeeze_range")) == [(7, "warning")]


def test_a_function_on_the_way_that_processes_results() -> None:
    assert _list_severities(REFUSED.format(condition="mode > 0", name="postprocess")) == [(7, "hint")]


def test_a_backward_in_sight_speaks_louder() -> None:
    assert _list_severities(WALKED) == [(8, "error")]
