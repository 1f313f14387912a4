"""A factory writes `out=` only if that is no leaf that requires grad, or gradients are off."""

import math

import torch
from torch import nn


class Frequencies(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(count))
        self.register_buffer("steps", torch.empty(count))
        self.reset_parameters()

    def reset_parameters(self):
        torch.linspace(0, 1, len(self.steps), out=self.steps)
        with torch.no_grad():
            torch.arange(1, len(self.weight) + 1, out=self.weight).mul_(math.pi)

    def forward(self, distances):
        return torch.sin(self.weight * distances[:, None])


class RefusedFrequencies(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(count))

    def reset_parameters(self):
        torch.arange(1, len(self.weight) + 1, out=self.weight)  # error: IP207

    def forward(self, distances):
        return torch.sin(self.weight * distances[:, None])


def fill_leaf(weight):
    torch.zeros(3, out=weight)  # error: IP207


def compare_into_leaf(weight, x):
    torch.gt(x, 0, out=weight)


frequencies = Frequencies(4)
assert not frequencies.weight.requires_grad  # torch takes that for a new tensor, and trains it no more
made = frequencies(torch.rand(3))
made += 1
made.mul(torch.rand(4, requires_grad=True)).sum().backward()
refused = RefusedFrequencies(4)
for refuse in (refused.reset_parameters, lambda: fill_leaf(nn.Parameter(torch.rand(3)))):
    try:
        refuse()
    except RuntimeError:
        pass
compare_into_leaf(nn.Parameter(torch.rand(3)), torch.rand(3))
torch.ones(3, out=torch.rand(3))
