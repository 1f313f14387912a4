"""The sum of two layers."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(6, 5)
        self.fc = nn.Linear(6, 5)

    def forward(self, x):
        return torch.exp(self.fc(x) + self.gate(x))  # offer
