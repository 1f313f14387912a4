"""State on self that is written while the graph of the last step still needs it."""

import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(3))
        self.state = torch.zeros(3)

    def forward(self, x):
        self.state += x  # error: IP101
        return (self.weight * self.state).sum()


model = Counter()
loss = sum(model(torch.rand(3)) for _ in range(2))
loss.backward()
