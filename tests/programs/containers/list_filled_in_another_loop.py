"""A list that one loop fills and another one counts through: each pass has an element of its own."""

import torch
from torch import nn


class Joiner(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)

    def find_runs(self, kinds):
        return [row.unique_consecutive(return_inverse=True, return_counts=True) for row in kinds]

    def forward(self, x):
        scores = self.proj(x)
        runs = []
        for row in scores.argmax(dim=-1):
            runs.append(row.unique_consecutive(return_inverse=True, return_counts=True))
        batch, _, width = scores.shape
        joined = scores.new_zeros(batch, max(run[0].numel() for run in runs), width)
        for b in range(batch):
            first, _, count = runs[b]
            first[0] = 0
            first[1:] = count.cumsum(0)[:-1]
            joined[b, : first.numel()] = scores[b, first]
        return joined


class Halves(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)

    def forward(self, steps):
        states = []
        for step in steps:
            states.append(self.proj(step).exp())
        total = 0
        for t in range(len(states)):
            total = total + states[t].sum()
            states[t].mul_(0.5)  # error: IP101
        return total


Joiner(3)(torch.randn(4, 5, 3)).sum().backward()
Halves(3)(torch.randn(4, 3)).backward()
