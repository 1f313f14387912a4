"""A hook reads it."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.seen = []
        self.fc.register_forward_hook(lambda module, given, result: self.seen.append(result))

    def forward(self, x):
        return F.relu(self.fc(x)) + self.seen[-1]  # not: return F.relu_(self.fc(x)) + self.seen[-1]
