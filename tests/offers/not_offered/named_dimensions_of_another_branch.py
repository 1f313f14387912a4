"""Named dimensions of another branch."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        if h.dim() == 2:
            h = h + torch.zeros(1, 4, 6)  # not: h += torch.zeros(1, 4, 6)
            return h
        B, T, C = h.shape
        return h * 2
