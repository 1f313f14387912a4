"""Its shape is read before."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = self.fc(x)
        n, m = h.shape
        if h.dim() == 2 and h.mean() < 9:
            m += 1
        h = F.relu(h)  # offer
        return h * m
