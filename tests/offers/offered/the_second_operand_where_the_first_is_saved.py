"""The second operand where the first is saved."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.two = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        y = h + self.two(h * h)  # offer
        return y * 1.5  # offer
