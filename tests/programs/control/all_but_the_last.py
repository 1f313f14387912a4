"""The last pass through a loop is the one that asks for it: networks whose last layer has no activation."""

import json

import torch
import torch.nn.functional as F
from torch import nn


class Stack(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList()
        for i in range(len(sizes) - 1):
            parts = [nn.Linear(sizes[i], sizes[i + 1])]
            if i < len(sizes) - 2:
                parts.append(nn.ReLU(inplace=True))
            self.layers.append(nn.Sequential(*parts))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        x[:, 0] = 1.0
        return x


class StackOfMany(nn.Module):
    def __init__(self):
        super().__init__()
        layers = []
        for i in range(7):
            layers.append(nn.Linear(4, 4))
            if i != 6:
                layers.append(nn.Sigmoid())
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        x = self.layers(x)
        x += 1
        return x


class Head(nn.Module):
    def __init__(self, size, hidden, out, depth):
        super().__init__()
        self.depth = depth
        inner = [hidden] * (depth - 1)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip([size] + inner, inner + [out]))

    def forward(self, x, points):
        for i, layer in enumerate(self.layers):
            x = F.relu(layer(x)) if i < self.depth - 1 else layer(x)
        x[..., :2] += points
        return x.sigmoid()


class ActiveHead(nn.Module):
    """It has an activation behind the last layer, too."""

    def __init__(self, size, depth):
        super().__init__()
        self.depth = depth
        self.layers = nn.ModuleList([nn.Linear(size, size) for _ in range(depth)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = F.relu(layer(x)) if i < self.depth else layer(x)
        x[..., :2] += 1  # error: IP101
        return x


class Rows(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(count)])

    def forward(self, x):
        for i in range(len(self.layers)):
            x = self.layers[i](x)
            if i + 1 < len(self.layers):
                x = torch.tanh(x)
        x.mul_(2)
        return x


def accumulate(batches):
    """The graph that all losses share is kept until the last of them is walked."""
    net = nn.Linear(4, 4)
    shared = net(torch.ones(4)).exp()
    for i in range(len(batches)):
        loss = (shared * batches[i]).sum()
        loss.backward(retain_graph=i + 1 < len(batches))


def accumulate_all(batches):
    net = nn.Linear(4, 4)
    shared = net(torch.ones(4)).exp()
    for i, batch in enumerate(batches):
        loss = (shared * batch).sum()
        loss.backward(retain_graph=i == len(batches) - 1)  # error: IP103


sizes = json.loads("[4, 4, 4, 4]")
x = torch.ones(1, 4)
Stack(sizes)(x).sum().backward()
StackOfMany()(x).sum().backward()
Head(sizes[0], 4, 2, sizes[1])(x, x[:, :2]).sum().backward()
Rows(sizes[0])(x).sum().backward()
accumulate([1, 2, 3])
try:
    ActiveHead(4, sizes[0])(x).sum().backward()
except RuntimeError as error:
    print(error)
try:
    accumulate_all([1, 2, 3])
except RuntimeError as error:
    print(error)
