"""What a library that is not installed makes of numbers alone carries no graph, and what it makes of a tensor may."""

import torch
from absent_grids import make_grid, soften
from torch import nn


class Window(nn.Module):
    def __init__(self, size):
        super().__init__()
        times = make_grid(0, 1, size)
        times -= 0.5
        self.register_buffer("times", times)
        self.layer = nn.Linear(size, size)

    def forward(self, x):
        grid = make_grid(-1, 1, x.size(-1))
        grid *= 2
        weights = torch.exp(-grid)
        weights /= weights.sum()
        decay = torch.sigmoid(-(-self.times))
        decay *= 2
        return self.layer(x) * weights * decay


class Softened(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, size)

    def forward(self, x):
        scores = soften(self.layer(x), 0.5)
        weights = torch.exp(-scores)
        weights /= weights.sum(-1, keepdim=True)  # error: IP101
        return weights


def gate_penalty(layer, x):
    gate = torch.sigmoid(-soften(layer(x), 2))
    gate.mul_(2)  # error: IP101
    return gate.mean()


def gate_penalty_in_new_memory(layer, x):
    gate = torch.sigmoid(-soften(layer(x), 2))
    gate = gate * 2
    return gate.mean()
