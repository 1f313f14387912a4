"""What is unpacked and nothing else is a pair; a tensor that is unpacked gives views."""

import torch
from torch import nn


class Gates(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def open_one(self, gates, rows):
        first, second = gates
        first.scatter_(0, rows.unsqueeze(1), 1.0)
        return first, second

    def forward(self, x, gates, rows):
        first, second = self.open_one(gates, rows)
        return self.linear(x) * first * second


class Halves(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        first, second = self.linear(x)
        first *= 2  # error: IP203
        return first + second


pair = (torch.zeros(2, 3), torch.ones(2, 3))
Gates()(torch.rand(2, 3), pair, torch.tensor([0, 1])).sum().backward()
Halves()(torch.rand(2, 3)).sum().backward()
