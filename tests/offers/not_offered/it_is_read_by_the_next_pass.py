"""It is read by the next pass."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        for _ in range(2):
            x = x + F.leaky_relu(h)  # not: x = x + F.leaky_relu_(h)
        return x
