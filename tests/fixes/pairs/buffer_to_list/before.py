import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
h = torch.zeros(5, 4)
for t in range(4):
    h[t + 1] = torch.sin(h[t]) + x  # why
h.sum().backward()
