"""Layers that a loop only looks at."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.act = nn.ReLU()  # offer
        for place, layer in enumerate(self.children()):
            if isinstance(layer, nn.Linear):
                nn.init.constant_(layer.bias, place)
        first = self.get_submodule("fc")
        first.weight.data.mul_(0.5)
        print(getattr(self, "f" + "c").weight.shape)

    def forward(self, x):
        return self.act(self.fc(x))
