"""torch.autograd.grad frees as backward does."""

import torch

x = torch.rand(3, requires_grad=True)
y = (x**2).sum()
torch.autograd.grad(y, x)
torch.autograd.grad(y, x)  # error: IP103
