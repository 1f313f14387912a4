"""An index by a mask or by integers copies; one by a number is a view."""

import torch
from torch import nn


class Picked(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x, keep: torch.BoolTensor, rows: "torch.LongTensor"):
        hidden = self.linear(x).exp()
        kept = hidden[keep]
        kept += 1
        dropped = hidden[~keep]
        dropped += 1
        chosen = hidden[rows]
        chosen += 1
        positive = hidden[x > 0]
        positive += 1
        return kept.sum() + dropped.sum() + chosen.sum() + positive.sum()


class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        hidden = self.linear(x).exp()
        first = hidden[0]
        first += 1  # error: IP101
        return hidden.sum() + first.sum()


Picked()(torch.rand(2, 3), torch.tensor([True, False]), torch.tensor([1, 0])).sum().backward()
First()(torch.rand(2, 3)).sum().backward()
