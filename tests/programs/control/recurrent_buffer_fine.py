"""The buffer only collects; or f keeps only its own result."""

import torch

x = torch.rand(3, requires_grad=True)
out = torch.zeros(4, 3)
h = x
for t in range(4):
    h = torch.sin(h)
    out[t] = h
out.sum().backward()

out = torch.zeros(4, 3)
out[0] = x
for t in range(1, 4):
    out[t] = torch.tanh(out[t - 1])
out.sum().backward()
