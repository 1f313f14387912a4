"""The caller's tensor, by a helper."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        return self.act(h) + h

    def act(self, h):
        return F.relu(h)  # not: return F.relu_(h)
