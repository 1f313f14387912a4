# safe: Make the view again: `a, b = y.split(2)` after the write
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x * 2
a, b = y.split(2)
y.mul_(3)
a, b = y.split(2)
(a * b).sum().backward()
