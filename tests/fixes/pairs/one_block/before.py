import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
with torch.no_grad():
    x[0] = 0
x[1] = 1  # too
x.sum().backward()
