"""What a factory makes of bounds that require grad carries no graph."""

import torch
from torch import nn


class Schedule(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Parameter(torch.tensor(0.1))
        self.last = nn.Parameter(torch.tensor(0.9))

    def spread(self, steps):
        kept = 1 - torch.linspace(self.first, self.last, steps)
        for t in range(1, steps):
            kept[t] *= kept[t - 1]
        return kept

    def spread_by_hand(self, steps):
        part = torch.linspace(0, 1, steps)
        kept = 1 - (self.first + part * (self.last - self.first))
        for t in range(1, steps):
            kept[t] *= kept[t - 1]  # error: IP101
        return kept

    def forward(self, x):
        return (x * self.spread(3) * torch.logspace(0, self.last, 3)).sum() * self.first


schedule = Schedule()
schedule(torch.rand(2, 3)).backward()
schedule.spread_by_hand(4).sum().backward()
