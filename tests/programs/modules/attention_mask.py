"""Scores are masked in place before softmax: bmm keeps its factors, not the scores."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)
        self.k = nn.Linear(4, 4)
        self.v = nn.Linear(4, 4)

    def forward(self, x, mask):
        scores = torch.bmm(self.q(x), self.k(x).transpose(1, 2))
        scores /= 2.0
        scores.masked_fill_(mask, float("-inf"))
        return torch.bmm(scores.softmax(-1), self.v(x))


class Masked(Attention):
    def forward(self, x, mask):
        scores = torch.bmm(self.q(x), self.k(x).transpose(1, 2)).softmax(-1)
        scores.masked_fill_(mask, 0.0)  # error: IP101
        return torch.bmm(scores, self.v(x))


x = torch.rand(1, 3, 4)
mask = torch.ones(3, 3).triu(1).bool()
Attention()(x, mask).sum().backward()
Masked()(x, mask).sum().backward()
