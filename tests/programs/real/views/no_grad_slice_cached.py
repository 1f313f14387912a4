"""A slice taken under no_grad at construction is written in forward."""

import torch
from torch import nn


class Banded(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(n))
        self.register_buffer("grid", torch.zeros(n, n))
        with torch.no_grad():
            self.top = self.grid[0]

    def forward(self, x):
        self.top.copy_(x * self.gain)  # error: IP204
        return self.grid.sum()


Banded(3)(torch.randn(3)).backward()
