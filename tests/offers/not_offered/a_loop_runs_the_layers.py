"""A loop runs the layers."""

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
        h = self.fc(x)
        for place, layer in enumerate(self.children()):
            g = layer(h)
        return h + g
