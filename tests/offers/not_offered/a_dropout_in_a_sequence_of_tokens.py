"""A dropout in a sequence that may be given three dimensions."""

import torch
from torch import nn

SHAPE = (2, 5, 6)
SHOWN = False


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(6, 6),
            nn.Dropout(0.5),  # not: nn.Dropout(0.5, inplace=True),
        )

    def forward(self, x):
        return self.net(x)
