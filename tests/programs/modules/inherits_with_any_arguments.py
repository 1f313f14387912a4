"""Layers that hand on whatever they are made with, or have no `__init__` of their own, are what they inherit from."""

import torch
from torch import nn


class Scaled(nn.Linear):
    def __init__(self, *args, scale=2.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.scale = scale

    def forward(self, x):
        y = torch.sigmoid(super().forward(x))
        y *= self.scale  # error: IP101
        return y


class Named(nn.Linear):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def forward(self, x):
        y = super().forward(x)
        y += 1
        return y


class Plain(nn.Conv1d):
    def forward(self, x):
        y = super().forward(x).tanh()
        y += self.bias.sum()  # error: IP101
        return y


for layer in (Scaled(3, 3), Named(in_features=3, out_features=3), Plain(1, 1, 1)):
    try:
        layer(torch.rand(1, 1, 3)).sum().backward()
    except RuntimeError:
        pass
