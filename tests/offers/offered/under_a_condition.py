"""Under a condition."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        if self.training:
            g = self.fc(h)
            h = F.relu(g)  # offer
        return h
