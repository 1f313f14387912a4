"""`out += identity` before the activation is fine, after a sigmoid gate it is not."""

import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 4)
        self.two = nn.Linear(4, 4)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        identity = x
        out = self.relu(self.one(x))
        out = self.two(out)
        out += identity
        return self.relu(out)


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 4)

    def forward(self, x):
        out = torch.sigmoid(self.gate(x))
        out += x  # error: IP101
        return out


x = torch.rand(2, 4)
Residual()(x).sum().backward()
Gated()(x).sum().backward()
