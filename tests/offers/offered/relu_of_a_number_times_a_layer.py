"""Relu of a number times a layer."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        return F.relu(  # offer
            2 * self.fc(x)  # offer
        )
