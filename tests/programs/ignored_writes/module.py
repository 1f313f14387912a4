"""Layers that change their result through .data."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        y = self.layer(x)
        y.data /= y.data.norm()  # error: IP301
        return y


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        y = self.layer(x)
        return y + ((y * 8).round() / 8 - y).detach()


model = nn.Sequential(Scaled(), Quantized())
model(torch.rand(2, 3)).sum().backward()
