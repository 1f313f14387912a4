"""A U-Net with one level, whose skip connection is concatenated."""

import torch
import torch.nn.functional as F
from torch import nn

SHAPE = (8, 3, 96, 96)


class Double(nn.Module):
    def __init__(self, into, out):
        super().__init__()
        self.conv1 = nn.Conv2d(into, out, 3, padding=1)
        self.conv2 = nn.Conv2d(out, out, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(out)
        self.norm2 = nn.BatchNorm2d(out)

    def forward(self, x):
        x = F.elu(self.norm1(self.conv1(x)))
        return F.elu(self.norm2(self.conv2(x)))


class Net(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.down = Double(3, width)
        self.middle = Double(width, 2 * width)
        self.rise = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.up = Double(2 * width, width)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        skip = self.down(x)
        x = self.middle(F.max_pool2d(skip, 2))
        x = self.rise(x)
        x = torch.cat([x, skip], 1)
        return torch.sigmoid(self.out(self.up(x)))
