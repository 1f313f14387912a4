"""retain_graph keeps it."""

import torch

theta = torch.randn(4, requires_grad=True)
x = torch.randn(10, 4)
inner = (torch.sigmoid(x @ theta) ** 2).mean()
(g,) = torch.autograd.grad(inner, theta, retain_graph=True)
fast = theta - 0.1 * g
outer = (x @ fast).pow(2).mean() + inner
outer.backward()
