"""A rename is no write: names are exchanged, tensors stay."""

import torch

x = torch.rand(3, requires_grad=True)
a, b = x.exp(), torch.zeros(3)
loss = a.sum()
a, b = b, a
a.add_(1)
loss.backward()

a, b = x.exp(), torch.zeros(3)
loss = a.sum()
a, b = b, a
b.add_(1)  # error: IP101
loss.backward()
