"""Autocast makes its type another."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        h = h + x  # not: h += x
        return h.float()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.block(x) + 0
