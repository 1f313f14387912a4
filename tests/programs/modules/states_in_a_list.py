"""States that are made as a list if none are given: each layer gets its own, no row of one tensor."""

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.GRU(4, 4, bidirectional=True) for _ in range(2)])

    def forward(self, x, states=None):
        if states is None:
            states = [None] * len(self.layers)
        after = []
        for layer, state in zip(self.layers, states):
            if state is not None:
                state[1::2] = 0.0
            x, state = layer(x, state)
            after.append(state)
        return x, after
