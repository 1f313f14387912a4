"""Added with a factor by torch."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.two = nn.Linear(6, 6)

    def forward(self, x):
        h = torch.add(self.fc(x), self.two(x), alpha=2)  # offer
        return torch.mul(h, 3)  # offer
