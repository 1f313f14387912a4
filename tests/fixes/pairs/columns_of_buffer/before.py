import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
h = torch.zeros(4, 5)
for t in range(1, 5):
    h[:, t] = torch.sin(h[:, t - 1]) + x
h.sum().backward()
