"""A new tensor each turn."""

import torch

w = torch.rand(3, requires_grad=True)
state = torch.zeros(3)
loss = 0
for _ in range(3):
    state = state + w
    loss = loss + (state * w).sum()
loss.backward()
