"""A sequence that is cut."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 6), nn.ReLU())  # not: self.net = nn.Sequential(nn.Linear(6, 6), nn.ReLU(inplace=True))

    def forward(self, x):
        h = self.net[:1](x)
        return self.net[1:](h) + h
