"""A list of layers with a running sum."""

import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(depth))

    def forward(self, x):
        h = x * 1
        for layer in self.layers:
            h += layer(h)  # error: IP101
        return h


class Fine(Stack):
    def forward(self, x):
        h = x * 1
        for layer in self.layers:
            h = h + layer(h)
        return h


x = torch.rand(2, 3)
Stack(2)(x).sum().backward()
Fine(2)(x).sum().backward()
