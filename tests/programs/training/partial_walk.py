"""grad() for one input walks only the nodes on the way there."""

import torch

x = torch.rand(3, requires_grad=True)
w = torch.rand(3, requires_grad=True)
a, b = x.exp(), w.exp()
total = (a + b).sum()
b.zero_()
torch.autograd.grad(total, x)
