"""Initialisation in the constructor, by init functions and through .data."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        nn.init.xavier_uniform_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        self.scale = nn.Parameter(torch.empty(2))
        self.scale.data.fill_(1.0)
        with torch.no_grad():
            self.linear.weight[0] = 0
        self.reset()

    def reset(self):
        self.linear.reset_parameters()

    def forward(self, x):
        return self.linear(x) * self.scale


Net()(torch.rand(4, 3)).sum().backward()
