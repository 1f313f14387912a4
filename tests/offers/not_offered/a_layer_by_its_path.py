"""A layer by its path."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.act = nn.ReLU()  # not: self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        if x.sum() > 1e9:
            return self.act(self.fc(x))
        act = self.get_submodule("act")
        again = act
        h = self.fc(x)
        return again(h) + h
