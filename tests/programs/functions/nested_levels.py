"""Blocks inside blocks of the same class: the innermost one writes what it keeps."""

import torch
from torch import nn


class Level(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.enter = nn.Linear(width, width)
        self.inner = Level(depth - 1, width) if depth > 0 else None
        self.gate = nn.Sigmoid()

    def forward(self, x):
        h = self.gate(self.enter(x))
        if self.inner is None:
            h *= 2  # error: IP101
            return h
        return h + self.inner(h)


net = Level(3, 4)
net(torch.randn(2, 4)).sum().backward()
