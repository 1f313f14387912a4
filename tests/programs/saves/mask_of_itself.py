"""A mask computed from the tensor is its own tensor."""

import torch

x = torch.rand(5, requires_grad=True)
y = x * 2
mask = y > 1
y[mask] = 0
y.masked_fill_(y < 0.1, 0.0)
y.sum().backward()

y = x * 2
z = y.masked_fill(mask, 0.0)
mask |= y > 0.5  # error: IP101
z.sum().backward()
