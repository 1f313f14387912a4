"""Inverted residuals with a squeeze."""

import torch
import torch.nn.functional as F
from torch import nn

SHAPE = (8, 3, 96, 96)


class Squeeze(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.reduce = nn.Conv2d(width, width // 4, 1)
        self.expand = nn.Conv2d(width // 4, width, 1)

    def forward(self, x):
        s = x.mean((2, 3), keepdim=True)
        s = F.relu(self.reduce(s))
        s = torch.sigmoid(self.expand(s))
        return x * s


class Inverted(nn.Module):
    def __init__(self, width, factor=4):
        super().__init__()
        inner = factor * width
        self.grow = nn.Conv2d(width, inner, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(inner)
        self.deep = nn.Conv2d(inner, inner, 3, padding=1, groups=inner, bias=False)
        self.norm2 = nn.BatchNorm2d(inner)
        self.squeeze = Squeeze(inner)
        self.shrink = nn.Conv2d(inner, width, 1, bias=False)
        self.norm3 = nn.BatchNorm2d(width)

    def forward(self, x):
        y = F.silu(self.norm1(self.grow(x)))
        y = F.silu(self.norm2(self.deep(y)))
        y = self.norm3(self.shrink(self.squeeze(y)))
        return x + y


class Net(nn.Module):
    def __init__(self, width=16, depth=3):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.blocks = nn.Sequential(*[Inverted(width) for _ in range(depth)])
        self.head = nn.Linear(width, 10)
        self.rate = 0.2

    def forward(self, x):
        x = self.blocks(self.stem(x)).mean((2, 3))
        return F.dropout(self.head(x), self.rate, self.training)
