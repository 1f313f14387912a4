"""A loop with while."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
loss = y.sum()
n = 0
while n < 2:
    y /= 2  # error: IP101
    n += 1
loss.backward()
