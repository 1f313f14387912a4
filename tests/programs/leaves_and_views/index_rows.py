"""The same by index: each is a single view."""

import torch

w = torch.rand(2, requires_grad=True)
buffer = torch.zeros(3, 2)
for at in range(3):
    buffer[at] += w
    buffer[at].mul_(2)
buffer.sum().backward()
