"""A layer that is only there with an option whose default is zero: without it the activation is the last one."""

import torch
from torch import nn

make = eval("lambda cls, *given, **options: cls(*given, **options)")
run = eval("lambda network, *given: network(*given).sum().backward()")


def add_if_any(layers, layer):
    if layer is not None:
        layers.append(layer)


class ConvBlock(nn.Module):
    def __init__(self, dimensions, cin, cout, activation="ReLU", dropout: float = 0):
        super().__init__()
        layers = nn.ModuleList()
        add_if_any(layers, getattr(nn, f"Conv{dimensions}d")(cin, cout, 3, padding=1))
        add_if_any(layers, getattr(nn, activation)() if activation is not None else None)
        drop = None
        if dropout:
            drop = getattr(nn, "Dropout{}d".format(dimensions))(p=dropout)
            add_if_any(layers, drop)
        self.drop = drop
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Stage(nn.Module):
    def __init__(self, dimensions, cin, cout, residual=False, dropout: float = 0):
        super().__init__()
        self.residual = residual
        self.first = ConvBlock(dimensions, cin, cout, dropout=dropout)
        self.second = ConvBlock(dimensions, cout, cout, dropout=dropout)
        if residual:
            self.skip = nn.Conv2d(cin, cout, 1)

    def forward(self, x):
        y = self.second(self.first(x))
        if self.residual:
            y += self.skip(x)  # error: IP101
        return y


class Head(nn.Module):
    def __init__(self, width, rate=0.0, residual=False):
        super().__init__()
        parts = [nn.Linear(width, width), nn.Sigmoid()]
        if rate > 0:
            parts += [nn.Dropout(rate), nn.Linear(width, width)]
        self.body = nn.Sequential(*parts)
        self.residual = residual

    def forward(self, x):
        y = self.body(x)
        if self.residual:
            y += x  # error: IP101
        return y


for network, x in (
    (make(Stage, 2, 1, 4, residual=True), torch.randn(2, 1, 8, 8)),
    (make(Head, 3, residual=True), torch.randn(2, 3)),
):
    try:
        run(network, x)
    except RuntimeError as error:
        print(error)
