import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x.exp()
m = x > 0.5
y[m] *= 2
y.sum().backward()
