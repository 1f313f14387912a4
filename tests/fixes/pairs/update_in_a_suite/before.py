import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
x.sum().backward()
if True: x -= x.grad  # step
