"""What a message says of the tests of a program: each as it is written, none that another one implies."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.conditions import drop_implied

GIVEN = {
    ("n > 1", "n == 3"): ("n == 3",),
    ("n == 0", "n > 1"): ("n == 0", "n > 1"),
    ("mask is not None", "mask"): ("mask",),
    ("x is not None", "isinstance(x, Tensor)"): ("isinstance(x, Tensor)",),
    ("mode == 'train'", "mode != 'test'"): ("mode == 'train'",),
    ("mode == 'train'", "mode"): ("mode == 'train'",),
    ("a", "b"): ("a", "b"),
    ("n == 3", "n == 3.0"): ("n == 3", "n == 3.0"),
    ("n == 'x'", "n > 1"): ("n == 'x'", "n > 1"),
    ("not (", "n"): ("not (", "n"),
}


@pytest.mark.parametrize("given", GIVEN)
def test_what_another_one_implies_is_left_out(given: tuple[str, ...]) -> None:
    assert drop_implied(given) == GIVEN[given]


def test_a_test_with_an_assignment_is_told_by_the_name() -> None:
    text = """\
import torch

x = torch.randn(3, requires_grad=True)
y = x.exp()
m = torch.rand(3) > 0.5
if (mask := m).any():
    y.masked_fill_(mask, 0)
y.sum().backward()
"""
    [finding] = analyse_source(text, "/program.py").findings
    assert finding.message.endswith("It happens if `mask.any()`.")


def test_a_test_of_something_without_a_name_is_not_told() -> None:
    text = """\
import torch

x = torch.randn(3, requires_grad=True)
y = x.exp()
if (x + y > 0.5).any():
    y.mul_(2)
y.sum().backward()
"""
    [finding] = analyse_source(text, "/program.py").findings
    assert "It happens if" not in finding.message


def test_writes_are_named_as_they_are_spelt() -> None:
    text = """\
import copy

import torch

w = torch.rand(3, requires_grad=True)
w -= 0.1
emb = torch.nn.Embedding(4, 3)
emb.weight.index_put_((torch.tensor([1]),), torch.zeros(1, 3))
emb.weight[0] = 1
teacher = copy.deepcopy(torch.nn.Sequential(emb))
for p in teacher.parameters():
    p.mul_(0.9)
"""
    told = [finding.message.split(",")[0] for finding in analyse_source(text, "/program.py").findings]
    assert told == [
        "`-=` writes `w`",
        "`index_put_` writes `emb.weight`",
        "this assignment writes a part of `emb.weight`",
        "`mul_` writes `teacher.0.weight`",
    ]
