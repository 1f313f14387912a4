"""Layers added to a sequence one by one, under names that a loop of unknown length computes."""

import torch
from torch import nn

count = eval("lambda: 2")
run = eval("lambda network, *given: network(*given).sum().backward()")


class Unit(nn.Module):
    def __init__(self, channels, repetitions):
        super().__init__()
        self.side = nn.Conv2d(channels, channels, 1)
        self.body = nn.Sequential()
        for i in range(repetitions):
            self.body.add_module("act{}".format(i + 1), nn.ReLU(inplace=True))
            self.body.add_module(f"conv{i + 1}", nn.Conv2d(channels, channels, 3, padding=1))

    def forward(self, x):
        side = self.side(x)
        x = self.body(x)  # error: IP101
        return x + side


class Plain(nn.Module):
    def __init__(self, channels, repetitions):
        super().__init__()
        self.side = nn.Conv2d(channels, channels, 1)
        self.body = nn.Sequential()
        for i in range(repetitions):
            self.body.add_module("conv%d" % i, nn.Conv2d(channels, channels, 3, padding=1, bias=False))
            self.body.add_module("norm%d" % i, nn.BatchNorm2d(channels))
            self.body.add_module("act%d" % i, nn.ReLU(inplace=True))

    def forward(self, x):
        side = self.side(x)
        x = self.body(x)
        return x + side


x = torch.rand(2, 3, 4, 4)
run(nn.Sequential(nn.Conv2d(3, 3, 1), Unit(3, count())), x)
run(Plain(3, count()), x)
