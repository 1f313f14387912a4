"""A module that chooses its `forward` when it is made; one whose harmful `forward` is replaced by a harmless one."""

import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, residual):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.forward = self.forward_residual if residual else self.forward_plain

    def forward_plain(self, x):
        gate = torch.sigmoid(self.fc(x))
        return gate * x

    def forward_residual(self, x):
        gate = torch.sigmoid(self.fc(x))
        gate += x  # error: IP101
        return gate


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x).exp_().mul(2)


x = torch.randn(2, 3)
Gate(residual=False)(x).sum().backward()
scaled = Scaled()
scaled.forward = lambda x: scaled.fc(x) * 2
out = scaled(x)
out += 1
out.sum().backward()
Gate(residual=True)(x).sum().backward()
