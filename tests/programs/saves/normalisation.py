"""Normalisation layers keep their input."""

import torch
from torch import nn

for layer in (nn.LayerNorm(4), nn.BatchNorm1d(4), nn.GroupNorm(2, 4)):
    x = torch.rand(3, 4, requires_grad=True)
    h = x * 2
    out = layer(h)
    h.add_(1)  # error: IP101
    out.sum().backward()

layer = nn.LayerNorm(4)
x = torch.rand(3, 4, requires_grad=True)
out = layer(x * 2)
out += x
out.sum().backward()
