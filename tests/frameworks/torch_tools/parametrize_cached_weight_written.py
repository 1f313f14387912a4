"""Within `cached()` the parametrized weight is one tensor for all forwards, and scaling it in place spoils what the first forward saved."""

import torch
from torch import nn
from torch.nn.utils import parametrize


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).transpose(-1, -2)


layer = nn.Linear(4, 4)
parametrize.register_parametrization(module=layer, tensor_name="weight", parametrization=Symmetric())
x = torch.randn(2, 4, requires_grad=True)

with parametrize.cached():
    first = layer(x)
    layer.weight.mul_(0.5)  # error: IP101
    second = layer(first)
second.sum().backward()
