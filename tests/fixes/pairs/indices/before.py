import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x.exp()
i = torch.tensor([0, 3])
v = x[:2]
y[i] = v
y.sum().backward()
