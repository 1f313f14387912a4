"""Abs of itself saved it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        h = h + torch.abs(h)  # not: h += torch.abs(h)
        return h
