import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
cell = nn.GRUCell(4, 3)
h = torch.zeros(1, 3)
for _ in range(2):
    h.copy_(cell(x[None], h))
h.sum().backward()
