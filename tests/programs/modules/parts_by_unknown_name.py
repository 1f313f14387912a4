"""A dictionary of modules whose key only the caller knows: the same key leads to the same module, whatever the program
has asked about it in between."""

import torch
from torch import nn


class Adapters(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.parts = nn.ModuleDict({})
        self.name = name
        self.add(name)

    def add(self, name):
        self.parts[name] = nn.Linear(3, 3)
        if name:
            self.parts[name].weight.requires_grad_(True)

    def forward(self, x):
        weight = self.parts[self.name].weight
        y = x * weight
        if self.name is not None:
            with torch.no_grad():
                self.parts[self.name].weight.add_(1)  # error: IP101
        return y

    def forward_in_order(self, x):
        with torch.no_grad():
            self.parts[self.name].weight.add_(1)
        return x * self.parts[self.name].weight


x = torch.rand(3, requires_grad=True)
Adapters("first").forward_in_order(x).sum().backward()
try:
    Adapters("first")(x).sum().backward()
except RuntimeError as error:
    print(error)
