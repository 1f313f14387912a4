"""The statistics are a new tensor at every update."""

from dataclasses import dataclass, field

import torch
import torch.nn as nn


@dataclass
class Statistics:
    dim: int
    momentum: float = 0.1
    mean: torch.Tensor = field(init=False)

    def __post_init__(self):
        self.mean = torch.zeros(self.dim)

    def update(self, x):
        self.mean = self.mean.lerp(x.detach().mean(0), self.momentum)


class Centred(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.stats = Statistics(dim)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        y = self.fc(x) * self.stats.mean
        self.stats.update(x)
        return y


Centred(3)(torch.randn(4, 3)).sum().backward()
