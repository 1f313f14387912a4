import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
w = torch.rand(4, requires_grad=True)
x.zero_()
w[0] = 1.0
(w * x).sum().backward()
