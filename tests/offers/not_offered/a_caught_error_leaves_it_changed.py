"""A caught error leaves it changed."""

import torch
import torch.nn.functional as F
from torch import nn


def shout(h):
    raise ValueError


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        try:
            h = shout(F.relu(h))  # not: h = shout(F.relu_(h))
        except ValueError:
            pass
        return h
