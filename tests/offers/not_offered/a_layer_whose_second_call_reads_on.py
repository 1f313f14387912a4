"""A layer whose second call reads on."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.act = nn.ReLU()  # not: self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        h = self.fc(x)
        y = self.act(h)
        z = self.act(self.fc(y))
        return h + z
