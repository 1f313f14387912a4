"""The gradient is part of the graph and must not be written."""

import torch

x = torch.rand(3, requires_grad=True)
y = (x**3).sum()
(slope,) = torch.autograd.grad(y, x, create_graph=True)
penalty = (slope**2).sum()
slope.clamp_(0, 1)  # error: IP101
penalty.backward()
