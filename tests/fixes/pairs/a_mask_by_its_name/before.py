import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x.exp()
mask = torch.tensor([True, False, True, False])
y[~mask] = 0
y.sum().backward()
