"""A loop over all modules sets a flag that only layers far behind the first ones have; nested constructors have loops
over all their modules, too."""

import torch
from torch import nn


def init_layer(layer):
    nn.init.kaiming_normal_(layer.weight)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)


class Unit(nn.Module):
    def __init__(self, width, parts=3):
        super().__init__()
        self.a, self.b = nn.ModuleList(), nn.ModuleList()
        for _ in range(parts):
            self.a.append(nn.Linear(width, width))
            self.b.append(nn.Linear(width, width))
        self.norm = nn.LayerNorm(width)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                init_layer(m)

    def forward(self, x):
        y = self.a[0](x)
        for a, b in zip(self.a, self.b):
            y = y + a(x) * b(x).mean()
        return self.norm(y)


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.act = nn.Sigmoid()
        self.last = nn.Sequential(nn.Linear(width, width), nn.Tanh())
        self.drop = nn.Dropout(0.2)

    def forward(self, x):
        return self.drop(self.last(self.act(x)))  # error: IP101


class Net(nn.Module):
    def __init__(self, width, depth=5):
        super().__init__()
        self.units = nn.Sequential(*(Unit(width) for _ in range(depth)))
        self.head = Head(width)
        for m in self.modules():
            if isinstance(m, nn.Dropout):
                m.inplace = True

    def forward(self, x):
        return self.head(self.units(x))


Net(3)(torch.randn(2, 3)).sum().backward()
