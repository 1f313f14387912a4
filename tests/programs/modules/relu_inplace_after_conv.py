"""The usual block: conv, norm, relu(inplace). Nothing keeps the norm's result but relu itself."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 2, 3, padding=1)
        self.norm = nn.BatchNorm2d(2)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


Block()(torch.rand(2, 2, 4, 4)).sum().backward()
