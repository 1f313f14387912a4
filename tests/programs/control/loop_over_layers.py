"""A running tensor is written before or after it is used in each turn."""

import torch
from torch import nn

layers = [nn.Linear(3, 3) for _ in range(2)]
x = torch.rand(2, 3)

h = x.clone()
total = torch.zeros(2, 3)
for layer in layers:
    h = layer(h).relu()
    total += h
total.sum().backward()

h = torch.rand(2, 3)
out = 0
for layer in layers:
    out = out + layer(h)
    h.mul_(0.5)  # error: IP101
out.sum().backward()
