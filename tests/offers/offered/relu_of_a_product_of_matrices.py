"""Relu of a product of matrices."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = x @ self.fc.weight
        h = torch.relu(h)  # offer
        return h
