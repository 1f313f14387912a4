import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
table = torch.rand(4)
y = (x * table).sum()
for i in range(2):
    table[i] = 5.0
y.backward()
