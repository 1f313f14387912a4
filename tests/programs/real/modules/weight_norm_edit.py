"""The weight computed by a parametrization is clipped in place; it is no leaf, but the norm keeps it."""

import torch
from torch import nn
from torch.nn.utils import parametrize


class Symmetric(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)


layer = nn.Linear(3, 3)
parametrize.register_parametrization(layer, "weight", Symmetric())
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
x = torch.randn(4, 3, requires_grad=True)
out = layer(x).tanh()
with torch.no_grad():
    layer.parametrizations.weight.original.mul_(0.5)
    layer.bias.mul_(0.5)
    out.mul_(2.0)  # error: IP101
out.sum().backward()
opt.step()
