"""What is added is of another pass."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.two = nn.Linear(6, 6)

    def forward(self, x):
        y = self.two(x[:1])
        for _ in range(2):
            h = self.fc(x[:1]) if False else self.fc(x[:1])
            h = h + y  # not: h += y
            y = self.two(x)
            x = x + 1
        return h + 0
