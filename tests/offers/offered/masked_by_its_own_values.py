"""Masked by its own values."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        h = h.masked_fill(h < 0, float("-1"))  # offer
        return self.fc(h)
