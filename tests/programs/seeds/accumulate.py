"""`total += part` on a running sum is fine, as long as nothing kept the sum."""

import torch

w = torch.rand(3, requires_grad=True)
total = torch.zeros(3)
for step in range(3):
    total += w * step
total.sum().backward()

running = torch.zeros(3)
loss = 0
for step in range(3):
    running += w * step  # error: IP101
    loss = loss + (running * w).sum()
loss.backward()
