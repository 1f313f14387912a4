"""Added with a factor."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.two = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        h = h.add(self.two(x), alpha=0.5)  # offer
        return h * h
