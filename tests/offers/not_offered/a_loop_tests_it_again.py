"""A loop tests it again."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        n = 0
        while n < 2 and F.dropout(h, 0.5).sum() < 1e9:  # not: while n < 2 and F.dropout(h, 0.5, inplace=True).sum() < 1e9:
            n += 1
            x = x + 1
        return self.fc(x) + h
