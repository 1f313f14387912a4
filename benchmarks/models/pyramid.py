"""A pyramid: two paths of the same shape are added, then normed."""

import torch.nn.functional as F
from torch import nn

SHAPE = (8, 3, 64, 64)


class Net(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.low = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.high = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.smooth = nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.GroupNorm(4, width)
        self.act = nn.CELU()
        self.out = nn.Conv2d(width, 4, 1)

    def forward(self, x):
        a = self.low(x)
        b = self.high(x)
        h = a + b
        h = h + self.smooth(F.relu(h))
        h = self.norm(h)
        h = self.act(h)
        return self.out(h)
