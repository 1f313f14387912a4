"""relu(inplace) overwrites what the layer before the branch keeps as its input."""

import torch
import torch.nn.functional as F
from torch import nn


class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(3, 3)
        self.side = nn.Linear(3, 3)

    def forward(self, x):
        h = self.stem(x)
        side = self.side(h)
        main = F.relu(h, inplace=True)  # error: IP101
        return main + side


Branch()(torch.rand(2, 3)).sum().backward()
