"""Chunk gives views."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h, g = self.fc(x).chunk(2, 1)
        h = F.relu(h)  # not: h = F.relu_(h)
        return h + g
