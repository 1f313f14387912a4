"""The networks: what they compute is kept in lists by others."""

from torch import nn


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(width, 8), nn.LeakyReLU(inplace=True), nn.Linear(8, width))

    def forward(self, x):
        return self.features(x)


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, 1)

    def forward(self, code):
        return self.score(code).square().mean()
