"""The multiplication is out of place."""

import torch
import torch.nn as nn


class LayerScale(nn.Module):
    def __init__(self, dim, init_values=1e-5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(init_values * torch.ones(dim))

    def forward(self, x):
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.GELU())
        self.ls = LayerScale(dim)

    def forward(self, x):
        h = self.mlp(x)
        n = self.norm(h)
        return self.ls(h) + n


Block(4)(torch.randn(2, 4)).sum().backward()
