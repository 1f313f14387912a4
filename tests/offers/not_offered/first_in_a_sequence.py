"""First in a sequence."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.ReLU(), nn.Linear(6, 6))  # not: self.net = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(6, 6))

    def forward(self, x):
        return self.net(x) + x
