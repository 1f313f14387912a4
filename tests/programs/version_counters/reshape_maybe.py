"""reshape and flatten give a view where they can, else a copy."""

import torch

x = torch.rand(2, 3, requires_grad=True)
y = x.exp()
y.flatten().add_(1)  # error: IP101
y.sum().backward()

y = x.exp()
y.t().reshape(-1).add_(1)
y.sum().backward()
