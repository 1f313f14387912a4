"""Linear of three dimensions in front of a layer: it makes a view, and in place backward needs more memory."""

import torch
from torch import nn

SHAPE = (2, 5, 6)
SHOWN = False


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.act = nn.ReLU()  # not: self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        y = x.view(2, 5, 6)
        return self.act(self.fc(y))
