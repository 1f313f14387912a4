# safe: Make the view in grad mode: take line 9 out of `torch.no_grad()`
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
y = x * 2
with torch.no_grad():
    b = 1
a = y[:2]  # head
a += 1
y.sum().backward()
