"""Of two functions that a container carries, one keeps its result."""

from torch import nn

from layers import make_scored


class Scored(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = make_scored(width)

    def forward(self, x):
        score = self.layers.score(self.layers(x))
        score += 1  # error: IP101
        plain = self.layers.plain(self.layers(x))
        plain += 1
        return score + plain
