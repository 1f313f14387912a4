"""Selu."""

import torch
import torch.nn.functional as F
from torch import nn

EXACT = False


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        return F.selu(self.fc(x))  # offer
