"""The result is of floats."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = torch.cat([x.long(), x.long()])
        h = h * 0.5  # not: h *= 0.5
        return h.mean() + self.fc(x)
