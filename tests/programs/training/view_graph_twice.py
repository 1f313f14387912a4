"""A graph with a write to a view in it cannot be walked twice, even if nothing was saved."""

import torch

x = torch.rand(4, requires_grad=True)
y = x + 1
y[0] = 0
total = y.sum()
total.backward()
total.backward()  # error: IP103
