"""A layer that is handed on."""

import torch
import torch.nn.functional as F
from torch import nn


def run(layer, h):
    return layer(h) + h


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.act = nn.ReLU()  # not: self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return run(self.act, self.fc(x))
