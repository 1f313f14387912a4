"""A sigmoid of integers."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = torch.stack([x.long()])
        h = torch.sigmoid(h)  # not: h = torch.sigmoid_(h)
        return h.mean() + self.fc(x)
