"""Leaky relu, which else keeps its input."""

import torch
import torch.nn.functional as F
from torch import nn

EXACT = False


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        return F.leaky_relu(self.fc(x), 0.2)  # offer
