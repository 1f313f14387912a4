"""A backbone with many dropouts, none of which does harm: a linear layer does not keep its result."""

from torch import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return x + self.drop(self.second(self.first(x)))


def build_backbone(width, depth=18):
    return nn.Sequential(*[Layer(width) for _ in range(depth)])
