"""What the layers of a pyramid give lies under the names that the caller asks for: each is kept by its own op."""

import torch
from torch import nn


class Pyramid(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.names = names
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in names])

    def collect(self, x):
        found = {}
        for name, layer in zip(self.names, self.layers):
            x = torch.relu(layer(x))
            found[name] = x
        return found


class Raised(Pyramid):
    def forward(self, x):
        found = self.collect(x)
        low, middle, high = found["low"], found["middle"], found["high"]
        high += 1  # error: IP101
        return low.sum() + middle.sum() + high.sum()


class Added(Pyramid):
    def forward(self, x):
        found = self.collect(x)
        low, middle, high = found["low"], found["middle"], found["high"]
        high = high + 1
        return low.sum() + middle.sum() + high.sum()
