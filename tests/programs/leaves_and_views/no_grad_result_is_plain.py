"""A result (not a view) made under no_grad is a plain tensor."""

import torch

x = torch.rand(4, requires_grad=True)
with torch.no_grad():
    y = x * 2
    z = y[:2]
y.add_(1)
z.mul_(2)
y[0] = 3
(x * y).sum().backward()
