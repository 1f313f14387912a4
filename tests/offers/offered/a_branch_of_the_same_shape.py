"""A branch of the same shape."""

import torch
import torch.nn.functional as F
from torch import nn

SHAPE = (2, 3, 7, 7)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3)
        self.conv = nn.Conv2d(4, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)

    def forward(self, x):
        h = self.stem(x)
        y = self.bn(self.conv(F.relu(h)))
        h = h + y  # offer
        return F.relu(h)  # offer
