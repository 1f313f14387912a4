"""A frozen layer keeps no input; a first layer keeps no weight."""

import torch
from torch import nn

frozen = nn.Linear(3, 3).requires_grad_(False)
x = torch.rand(2, 3, requires_grad=True)
h = x * 2
out = frozen(h)
h.add_(1)
out.sum().backward()

first = nn.Linear(3, 3)
out = first(torch.rand(2, 3))
with torch.no_grad():
    first.weight.mul_(0.9)
out.sum().backward()

second = nn.Linear(3, 3)
out = second(x * 2)
with torch.no_grad():
    second.weight.mul_(0.9)  # error: IP101
out.sum().backward()
