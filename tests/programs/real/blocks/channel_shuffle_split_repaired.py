"""The branch is multiplied out of place."""

import torch
from torch import nn


class ShuffleUnit(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.branch = nn.Sequential(nn.Conv2d(c // 2, c // 2, 1), nn.BatchNorm2d(c // 2), nn.ReLU(inplace=True))
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        x1, x2 = x.chunk(2, dim=1)
        x1 = x1 * self.scale
        return torch.cat((x1, self.branch(x2)), dim=1)


stem = nn.Conv2d(3, 4, 1)
ShuffleUnit(4)(stem(torch.randn(1, 3, 4, 4))).sum().backward()
