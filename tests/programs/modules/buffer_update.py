"""A running mean kept in a buffer is updated in forward."""

import torch
from torch import nn


class Running(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        with torch.no_grad():
            self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
            self.scale.add_(0.1)  # error: IP101
        return (x - self.mean) * self.scale


model = Running()
weight = torch.rand(3, requires_grad=True)
loss = model(torch.rand(2, 3) * weight).sum() + model(torch.rand(2, 3) * weight).sum()
loss.backward()
