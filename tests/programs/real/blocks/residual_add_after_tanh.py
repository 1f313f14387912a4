"""A residual is added in place onto a tanh's output."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin1 = nn.Linear(dim, dim)
        self.lin2 = nn.Linear(dim, dim)

    def forward(self, x):
        identity = x
        out = self.lin1(x)
        out = torch.tanh(out)
        out += identity  # error: IP101
        return self.lin2(out)


net = nn.Sequential(*[Block(4) for _ in range(2)])
net(torch.randn(2, 4)).sum().backward()
