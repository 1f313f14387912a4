import torch
from torch import nn


class Gated(nn.Module):
    """Its features are kept by the sigmoid."""

    def __init__(self, width):
        super().__init__()
        self.hidden = nn.Linear(4, width)
        self.last = nn.Linear(width, 1)

    def features(self, x):
        return torch.sigmoid(self.hidden(x))


class Plain(Gated):
    def features(self, x):
        return self.hidden(x) + 1


class Doubled(Gated):
    def features(self, x):
        return self.hidden(x) * 2


FIRST_KEEPS = {"gated": Gated, "plain": Plain, "doubled": Doubled}
LAST_KEEPS = {"plain": Plain, "gated": Gated}
NONE_KEEPS = {"plain": Plain, "doubled": Doubled}
