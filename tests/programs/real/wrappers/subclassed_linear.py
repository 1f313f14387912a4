"""A subclass of nn.Linear clamps its own weight in forward, after the product kept it."""

import torch
import torch.nn.functional as F
from torch import nn


class NonNegativeLinear(nn.Linear):
    def forward(self, input):
        out = F.linear(input, self.weight, self.bias)
        with torch.no_grad():
            self.weight.clamp_(min=0)  # error: IP101
        return out


net = nn.Sequential(NonNegativeLinear(3, 4), nn.ReLU(), NonNegativeLinear(4, 1))
net(torch.randn(2, 3)).sum().backward()
