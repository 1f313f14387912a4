import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
h = x.exp()
v = x * 2
h.copy_(v)
v = h.exp()
(h * v).sum().backward()
