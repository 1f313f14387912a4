"""Every write between save and backward is named."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
loss = y.sum()
y.add_(1)  # error: IP101
y[0] = 0  # error: IP101
y *= 2  # error: IP101
loss.backward()
