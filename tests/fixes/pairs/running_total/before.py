import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
total = 0
for i in range(3):
    total = total + (x * x).sum()
    total.backward()
