"""A function of the user's keeps its result."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        return F.relu(self.make(x)) + self.last  # not: return F.relu_(self.make(x)) + self.last

    def make(self, x):
        self.last = self.fc(x)
        return self.last
