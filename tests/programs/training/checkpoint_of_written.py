"""A checkpoint computes again from its inputs: a block that begins in place has changed them by then."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)

    def part(self, x, scale):
        x *= scale  # error: IP101
        return self.second(x)

    def forward(self, x):
        return checkpoint(self.part, self.first(x), 2.0, use_reentrant=False)


Net()(torch.rand(2, 3)).sum().backward()

block = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True))
y = checkpoint(block, nn.Linear(3, 3)(torch.rand(2, 3)), use_reentrant=False)
y.mul_(2)
y.sum().backward()
