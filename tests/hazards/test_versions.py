"""Versions and names as torch has them: what a message of ours says can be held against torch's own."""

from __future__ import annotations

import re

import pytest

from inplace_lsp.engine import analyse_source
from support import observe

TRAINING = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, 8), {normalise}nn.ReLU(), nn.Linear(8, m))
        {start}

    def forward(self, x):
        return self.net(x)


generator, critic = Net(4, 6), Net(6, 1)
steps_critic = torch.optim.{optimizer}(critic.parameters(), lr=0.01)
for _ in range(3):
    fake = generator(torch.rand(5, 4))
    loss_generator = -critic(fake).mean()
    critic(fake.detach()).mean().backward()
    steps_critic.step()
    loss_generator.backward()
"""
BY_HAND = "for part in self.net: part.reset_parameters() if isinstance(part, nn.Linear) else None"


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "AdamW", "NAdam", "RMSprop"])
@pytest.mark.parametrize("start", ["pass", "nn.init.zeros_(self.net[-1].weight)", BY_HAND])
def test_versions_are_those_of_torchs_message(optimizer: str, start: str) -> None:
    program = TRAINING.format(optimizer=optimizer, start=start, normalise="")
    said = re.search(r"is at version (\d+); expected version (\d+)", observe(program).error or "")
    assert said is not None
    (found,) = analyse_source(program, "/gan.py").findings
    assert f"`critic.net.2.weight` (version {said[2]} -> {said[1]})" in found.message


def test_a_parameter_is_called_as_torch_calls_it() -> None:
    program = TRAINING.format(optimizer="SGD", start="pass", normalise="nn.LayerNorm(8), ")
    (found,) = analyse_source(program, "/gan.py").findings
    assert "`critic.net.3.weight`" in found.message


def test_an_element_of_a_list_is_called_as_the_program_calls_it() -> None:
    program = """\
import torch


def pyramid(levels: list[torch.Tensor]):
    kept = [level.sigmoid() for level in levels[:3]]
    for i in range(2, 0, -1):
        kept[i - 1] += kept[i]
    return kept
"""
    (found,) = analyse_source(program, "/pyramid.py").findings
    assert found.message.startswith("`kept[i - 1]` is written here")
