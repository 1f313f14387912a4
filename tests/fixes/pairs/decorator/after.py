# safe: Make the view in grad mode: without `@torch.no_grad()` on line 6
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)
def first(t):
    return t[:2]


y = x * 2
a = first(y)
a += 1
y.sum().backward()
