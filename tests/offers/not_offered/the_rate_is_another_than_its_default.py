"""The rate is another than its default."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, rate=0.0):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.drop = nn.Dropout(rate)  # not: self.drop = nn.Dropout(rate, inplace=True)

    def forward(self, x):
        h = torch.exp(self.fc(x))
        return self.drop(h)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(0.5)

    def forward(self, x):
        return self.block(x)
