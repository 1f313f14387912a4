"""Layers that are called one by one."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 6), nn.ReLU())  # not: self.net = nn.Sequential(nn.Linear(6, 6), nn.ReLU(inplace=True))

    def forward(self, x):
        seen = 0
        for layer in self.net:
            x = layer(x)
            seen = seen + x if isinstance(layer, nn.ReLU) else x
        return seen
