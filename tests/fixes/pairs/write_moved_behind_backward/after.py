# safe: Move line 8 after the backward on line 10
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
table = torch.rand(4)
y = (x * table).sum()
y.backward()
for i in range(2):
    table[i] = 5.0
