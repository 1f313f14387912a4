"""Before the product, under no_grad."""

import torch
import torch.nn.functional as F
from torch import nn


class NonNegativeLinear(nn.Linear):
    def forward(self, input):
        with torch.no_grad():
            self.weight.clamp_(min=0)
        return F.linear(input, self.weight, self.bias)


net = nn.Sequential(NonNegativeLinear(3, 4), nn.ReLU(), NonNegativeLinear(4, 1))
net(torch.randn(2, 3)).sum().backward()
