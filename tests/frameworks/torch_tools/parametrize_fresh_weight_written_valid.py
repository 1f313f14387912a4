"""Without `cached()` every access computes the parametrized weight anew, so the write hits a tensor that nobody else has."""

import torch
from torch import nn
from torch.nn.utils import parametrize


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).transpose(-1, -2)


layer = nn.Linear(4, 4)
parametrize.register_parametrization(module=layer, tensor_name="weight", parametrization=Symmetric())
optimizer = torch.optim.SGD(params=layer.parameters(), lr=0.1)

for _ in range(2):
    first = layer(torch.randn(2, 4))
    layer.weight.mul_(0.5)
    with parametrize.cached():
        second = layer(layer(first))
    optimizer.zero_grad()
    second.sum().backward()
    optimizer.step()
