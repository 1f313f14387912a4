"""Blocks in a Sequential; the second one overwrites what the first has kept."""

import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        return torch.tanh(x)


class Clip(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        if self.inplace:
            return x.clamp_(-0.5, 0.5)  # error: IP101
        return x.clamp(-0.5, 0.5)


x = torch.rand(2, 3, requires_grad=True)
nn.Sequential(Gate(), Clip(False)).forward(x).sum().backward()
nn.Sequential(Gate(), Clip(True))(x).sum().backward()
