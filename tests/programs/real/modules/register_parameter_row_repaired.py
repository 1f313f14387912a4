"""It is zeroed under no_grad before it is used."""

import torch
from torch import nn


class Table(nn.Module):
    def __init__(self, n, d, pad=0):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.randn(n, d)))
        self.pad = pad

    def forward(self, idx):
        with torch.no_grad():
            self.weight[self.pad] = 0
        return nn.functional.embedding(idx, self.weight)


table = Table(6, 3)
table(torch.tensor([0, 2, 5])).sum().backward()
