"""Losses over one trunk: the second backward walks what the first one freed."""

import torch
from torch import nn

trunk, heads = nn.Linear(3, 8), nn.ModuleDict({"a": nn.Linear(8, 1), "b": nn.Linear(8, 2)})


def losses(x):
    h = trunk(x).tanh()
    for name, head in heads.items():
        yield name, head(h).square().mean()


for name, loss in losses(torch.randn(4, 3)):
    loss.backward()  # error: IP103
