"""All views have one counter, even for parts that do not touch."""

import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
loss = (y[:2] ** 2).sum()
y[2:] = 0  # error: IP101
loss.backward()
