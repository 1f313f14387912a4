import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x * 2
with torch.no_grad():
    # the head
    a = (y
        [:2])
a += 1
y.sum().backward()
