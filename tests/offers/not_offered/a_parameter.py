"""A parameter."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.w = nn.Parameter(torch.ones(6))

    def forward(self, x):
        w = self.w
        w = w * 2  # not: w *= 2
        return self.fc(x) + w
