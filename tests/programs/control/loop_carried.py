"""The write of one turn hits the save of the turn before."""

import torch

w = torch.rand(3, requires_grad=True)
state = torch.zeros(3)
loss = 0
for _ in range(3):
    state += w  # error: IP101
    loss = loss + (state * w).sum()
loss.backward()
