"""One layer is of doubles."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Embedding(9, 4)
        self.two = nn.Embedding(9, 4)
        self.two.double()

    def forward(self, x):
        words = x.abs().long().clamp(max=8)
        h = self.one(words) + self.two(words)  # not: h = self.one(words).add_(self.two(words))
        return h
