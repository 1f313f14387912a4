"""The sigmoid keeps its result, and is reached through the linear layer."""

from torch import nn

from layers import make_gated


class Gated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = make_gated(width)

    def forward(self, x):
        gate = self.layer.act(self.layer(x))
        gate += 1  # error: IP101
        return gate * x


class Added(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = make_gated(width)

    def forward(self, x):
        both = self.layer(x)
        both += 1
        return self.layer.act(both)
