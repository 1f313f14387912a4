"""Weights are normalised in forward, under no_grad, before they are used: fine once, a hazard for two calls."""

import torch
from torch import nn


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(3, 3))

    def forward(self, x):
        with torch.no_grad():
            self.weight.div_(self.weight.norm(dim=1, keepdim=True))  # error: IP101
        return x @ self.weight


x = torch.rand(2, 3, requires_grad=True)
once = Normed()
once(x).sum().backward()
twice = Normed()
(twice(x) + twice(x)).sum().backward()
