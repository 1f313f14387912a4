"""A library: others make its objects, with whatever options."""

from torch import nn


class Block(nn.Module):
    def __init__(self, width, clip=False):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.act = nn.Sigmoid()
        self.clip = clip

    def forward(self, x):
        y = self.act(self.conv(x))
        if self.clip:
            y[y > 0.5] = 1  # error: IP101
        return y
