import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
x.sum().backward()
a = 1; x -= x.grad; b = 2
