"""The same, for the input on whose way the write lies."""

import torch

x = torch.rand(3, requires_grad=True)
w = torch.rand(3, requires_grad=True)
a, b = x.exp(), w.exp()
total = (a + b).sum()
b.zero_()  # error: IP101
torch.autograd.grad(total, w)
