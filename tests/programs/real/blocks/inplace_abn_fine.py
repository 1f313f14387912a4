"""LeakyReLU in place after batch norm whose affine output nobody kept; the buffer is divided in place by a constant."""

import torch
from torch import nn


class ConvBNAct(nn.Module):
    def __init__(self, i, o, act=True):
        super().__init__()
        self.conv = nn.Conv2d(i, o, 1, bias=False)
        self.bn = nn.BatchNorm2d(o)
        self.act = nn.LeakyReLU(0.1, inplace=True) if act else nn.Identity()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


m = nn.Sequential(ConvBNAct(3, 4), ConvBNAct(4, 4, act=False), nn.Flatten(), nn.Linear(64, 2))
out = m(torch.randn(2, 3, 4, 4))
out /= 0.5
out.softmax(-1)[:, 0].mean().backward()
