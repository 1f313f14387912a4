# A layer folds an adapter into its weight, or takes it out again, through `.data`: the numbers are meant, not a graph.
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.low = nn.Parameter(torch.zeros(3, 1))
        self.high = nn.Parameter(torch.rand(1, 3))
        self.folded = False
        self.enabled = True

    def find_delta(self):
        return self.low @ self.high

    def fold(self):
        if not self.folded:
            self.layer.weight.data = self.layer.weight.data + self.find_delta()
            self.folded = True

    def unfold(self):
        if not self.folded:
            return
        self.layer.weight.data = self.layer.weight.data - self.find_delta()
        self.folded = False

    def forward(self, x):
        if not self.enabled:
            if self.folded:
                self.unfold()
            return self.layer(x)
        y = self.layer(x)
        return y if self.folded else y + x @ self.find_delta().t()
