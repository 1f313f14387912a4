"""A script: all objects that there are leave the option at its default."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, debug=False):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.act = nn.Sigmoid()
        self.debug = debug

    def forward(self, x):
        y = self.act(self.conv(x))
        if self.debug:
            y[y > 0.5] = 1
        return y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Block(3), Block(3)

    def forward(self, x):
        return self.second(self.first(x))


def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = net(torch.randn(1, 3, 4, 4)).sum()
    loss.backward()
    optimizer.step()


train(Net())
