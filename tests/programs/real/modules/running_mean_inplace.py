"""A running mean that a later product kept is updated before the backward."""

import torch
import torch.nn as nn


class RunningNorm(nn.Module):
    def __init__(self, dim, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.scale = nn.Parameter(torch.ones(dim))
        self.register_buffer("running_std", torch.ones(dim))

    def forward(self, x):
        out = x * self.scale / self.running_std
        if self.training:
            with torch.no_grad():
                std = x.std(dim=0)
                self.running_std.mul_(1 - self.momentum).add_(self.momentum * std)  # error: IP101
        return out


norm = RunningNorm(3)
norm(torch.randn(8, 3)).sum().backward()
