"""The layer may be an identity."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.norm = nn.BatchNorm1d(6) if False else nn.Identity()

    def forward(self, x):
        h = self.norm(x)
        return F.relu(h) + self.fc(x)  # not: return F.relu_(h) + self.fc(x)
