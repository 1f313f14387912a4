"""The ReLU is not in place."""

import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, 2 * dim)
        self.act = nn.ReLU()

    def forward(self, x):
        a, b = self.proj(x).split(x.shape[-1], dim=-1)
        return self.act(a) * torch.sigmoid(b)


GatedUnit(3)(torch.randn(2, 3)).sum().backward()
