"""A residual block."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.two = nn.Linear(6, 6)

    def forward(self, x):
        identity = x
        out = self.fc(x)
        out = F.relu(out)  # offer
        out = self.two(out)
        out += identity
        return F.relu(out)  # offer
