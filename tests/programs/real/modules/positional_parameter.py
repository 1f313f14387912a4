"""Sine positions are written into a parameter by slices with grad mode on."""

import torch
import torch.nn as nn


class LearnedPositions(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        pos = torch.arange(n).unsqueeze(1) / torch.pow(10000, torch.arange(0, d, 2) / d)
        self.pe = nn.Parameter(torch.zeros(n, d))
        self.pe[:, 0::2] = torch.sin(pos)  # error: IP202
        self.pe[:, 1::2] = torch.cos(pos)  # behind: IP202

    def forward(self, x):
        return x + self.pe[: x.shape[1]]


LearnedPositions(10, 4)(torch.randn(2, 5, 4)).sum().backward()
