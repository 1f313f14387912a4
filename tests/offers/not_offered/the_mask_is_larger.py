"""The mask is larger."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        h = x.new_ones(6) * self.fc.bias
        h = h.masked_fill(x < 0, 0.0)  # not: h = h.masked_fill_(x < 0, 0.0)
        return h
